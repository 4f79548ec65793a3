internal import Cellophane
internal import Synchronization

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
  /// - Throws: ``LoadError/Kind/io`` if it may not open enough files, start enough threads, or map enough memory.
  static func checkLimits() throws(LoadError) {
    try checkFiles()
    try checkThreads(leastThreads)
  }

  /// Checks whether the process can start `count` threads and map enough memory.
  ///
  /// - Throws: ``LoadError/Kind/io`` if it cannot.
  static func checkThreads(_ count: Int) throws(LoadError) {
    let (hasThreads, hasSpace) = canStartThreads(count, mapping: leastSpace)
    guard hasThreads else {
      throw LoadError(
        .io,
        """
        the process cannot start \(count) threads; raise the limit of processes (ulimit -u, or pids.max of the \
        container) or of the address space (ulimit -v)
        """)
    }
    guard hasSpace else {
      throw LoadError(
        .io,
        """
        the limit of the address space leaves less than \(leastSpace >> 20) MB to the process; raise it with ulimit -v
        """)
    }
  }

  private static func checkFiles() throws(LoadError) {
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

  /// The threads that allocate memory in every load: one per processor in Swift's pool, at most four of these, two event loops,
  /// and one each for the resolver, for files, and for libdispatch.
  private static let allocatingThreads = 5 + min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// The minimum number of threads. libdispatch waits forever for a thread that it cannot start, and had two more for a
  /// moment: with two processors, 9 threads at once were measured, and hangs with a limit of 9.
  static let leastThreads = allocatingThreads + 2

  /// The minimum number of threads for a simulation in real time, whose origin needs further threads. With two
  /// processors, 18 threads at once were measured, and hangs with a limit of 12.
  static let leastSimulationThreads = leastThreads + 8

  /// The minimum of free address space in addition to the stacks of the threads: 256 MB for data, and a segment of the
  /// allocator (mimalloc), 32 MB, for each thread that allocates. Swift cannot report that memory for a small object is
  /// missing, and libdispatch waits forever for it.
  private static let leastSpace = allocatingThreads << 25 + 256 << 20

  /// Returns whether this process can have `count` more threads, by starting them, and `space` more bytes of address
  /// space at the same time, by mapping them. The system has several limits of threads, and counts the threads of all
  /// processes of a user.
  private static func canStartThreads(_ count: Int, mapping space: Int) -> (threads: Bool, space: Bool) {
    let gate = Mutex(())
    let (threads, hasSpace) = gate.withLock { _ in
      // They wait for the lock, so that all exist at once.
      ((0..<count).map { _ in WorkThread { gate.withLock { _ in } } }, canMap(space))
    }
    for thread in threads { thread?.join() }
    return (!threads.contains { $0 == nil }, hasSpace)
  }

  /// Returns whether `space` more bytes of address space are free. Pages without access take no memory.
  private static func canMap(_ space: Int) -> Bool {
    let start = unsafe mmap(nil, space, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard unsafe start != MAP_FAILED else { return false }
    unsafe munmap(start, space)
    return true
  }

  /// Blocks this thread. A signal ends the wait early.
  static func sleep(_ duration: Duration) {
    let parts = max(duration, .zero).components
    // 1 ns is 1 000 000 000 attoseconds.
    var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    _ = unsafe nanosleep(&time, nil)
  }
}
