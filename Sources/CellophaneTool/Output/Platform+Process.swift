internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The process.
extension Platform {
  /// Ends the process without running finalizers. Those of libraries would run while other threads still use the
  /// libraries; the tool itself has no buffered output.
  static func exit(_ status: ExitStatus) -> Never { _exit(status.rawValue) }

  /// Opens closed standard streams as `/dev/null`, in a mode in which their use fails. Otherwise a file or socket that
  /// is opened later would become a standard stream.
  static func occupyStandardStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The minimum limit of open files. 24: the process has ten before the first connection, the transport leaves eight to
  /// others, and libdispatch ends a process that gets none for a moment.
  private static let leastFiles = 24

  /// Checks the resource limits of the process.
  ///
  /// - Throws: ``LoadError/Kind/io`` if it may not open enough files.
  static func checkLimits() throws(LoadError) {
    var limit = rlimit()
    #if canImport(Glibc)
      let status = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      let status = unsafe getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    guard status == 0, limit.rlim_cur < leastFiles else { return }
    throw LoadError(
      .io,
      "the limit of open files is \(limit.rlim_cur), but \(leastFiles) are needed; raise it with ulimit -n")
  }

  /// Blocks this thread. A signal ends the wait early.
  static func sleep(_ duration: Duration) {
    let parts = max(duration, .zero).components
    // 1 ns is 1 000 000 000 attoseconds.
    var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    _ = unsafe nanosleep(&time, nil)
  }
}
