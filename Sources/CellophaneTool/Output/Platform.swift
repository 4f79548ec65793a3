internal import CTerminal
internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Wrappers of system calls: the process and the terminal.
enum Platform {
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

  /// The size of the terminal on standard error; nil if it is not a terminal, or if the size is not known.
  static var terminalSize: (columns: Int, lines: Int)? {
    let size = terminal_measure(STDERR_FILENO)
    return size.columns > 0 && size.lines > 0 ? (Int(size.columns), Int(size.lines)) : nil
  }

  /// Blocks this thread. A signal ends the wait early.
  static func sleep(_ duration: Duration) {
    let parts = max(duration, .zero).components
    // 1 ns is 1 000 000 000 attoseconds.
    var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    _ = unsafe nanosleep(&time, nil)
  }

  /// The error number of the last failed call.
  static var lastError: Int32 { errno }

  /// Returns the meaning of an error number.
  static func reason(_ error: Int32) -> String {
    switch error {
    case ENOENT: "no such file or directory"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case EEXIST: "something else with this name exists"
    case ENOTDIR: "a part of the path is not a directory"
    case ENOSPC: "the disk is full"
    case ENAMETOOLONG: "the name is too long"
    case EROFS: "the disk is read-only"
    case EMFILE, ENFILE: "too many files are open"
    default: unsafe String(cString: strerror(error))
    }
  }
}
