internal import CTerminal
internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The system's calls whose names hide behind methods of ours.
enum Platform {
  /// Ends the process at once. Libraries take themselves apart in `exit`, while other threads of ours are still in
  /// them; what `exit` would write out is nothing of the tool's, which writes by itself.
  static func exit(_ status: ExitStatus) -> Never { _exit(status.rawValue) }

  static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, bytes, count)
    #else
      unsafe Darwin.write(descriptor, bytes, count)
    #endif
  }

  @discardableResult
  static func close(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }

  /// What is written to.
  enum Place {
    /// A file, links resolved, with the mode it has; one that does not exist has none.
    case file(path: String, mode: mode_t?)
    /// A device, a pipe, a directory, or a link to what does not exist.
    case other
  }

  /// What a write to `path` meets.
  static func place(at path: String) -> Place {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return unsafe lstat(path, &status) == 0 ? .other : .file(path: path, mode: nil)
    }
    guard status.st_mode & S_IFMT == S_IFREG, let resolved = unsafe realpath(path, nil) else { return .other }
    defer { unsafe free(resolved) }
    return unsafe .file(path: String(cString: resolved), mode: status.st_mode & 0o7777)
  }

  /// The length of an open file in bytes; nil when it is a pipe or device.
  static func size(ofFile descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Whether what is written goes to somebody who reads: through a pipe, a socket or a terminal.
  static func mayWait(writingTo descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return true }
    let kind = status.st_mode & S_IFMT
    return kind != S_IFREG && (kind != S_IFCHR || isatty(descriptor) != 0)
  }

  /// The length of the file at `path` in bytes; nil when there is none.
  static func size(ofFileAt path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Fills the places of standard streams that are closed with what fails when it is used, so that no file
  /// or socket that is opened later is taken for one of them.
  static func occupyStandardStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Makes it an error, and no death, to write to a pipe that nobody reads any more.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// What is done from now on when a signal comes: `SIG_IGN` or `SIG_DFL`.
  static func handle(_ number: Int32, by handler: sig_t?) { signal(number, handler) }

  /// Runs `body` while a signal does what the system has it do.
  static func withDefaultAction(of number: Int32, _ body: () -> Void) {
    var standard = sigaction()
    #if canImport(Darwin)
      standard.__sigaction_u.__sa_handler = SIG_DFL
    #else
      unsafe standard.__sigaction_handler.sa_handler = SIG_DFL
    #endif
    var before = sigaction()
    unsafe sigaction(number, &standard, &before)
    body()
    unsafe sigaction(number, &before, nil)
  }

  /// Runs `body` with a signal let through that threads of a pool hold back: what the system does with it, as stopping the
  /// process, it does before a call in `body` returns.
  static func admitting<Value>(_ number: Int32, _ body: () throws -> Value) rethrows -> Value {
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, number)
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// True when the process was started with a signal passed over, as `nohup` does with SIGHUP.
  static func passesOver(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The least number of files that the process must be able to open. 24: it has ten before the first connection, the
  /// transport leaves eight to others, and libdispatch ends a process that gets none for a moment.
  private static let leastFiles = 24

  /// - Throws: ``LoadError/Kind/io`` when the process may not open as many files as it needs.
  static func checkLimits() throws(LoadError) {
    var limit = rlimit()
    #if canImport(Glibc)
      let status = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      let status = unsafe getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    guard status == 0, limit.rlim_cur < leastFiles else { return }
    throw LoadError(
      .io, "only \(limit.rlim_cur) files may be open at once; \(leastFiles) are needed (see ulimit -n)")
  }

  /// Opens the file, pipe or device at `path`.
  ///
  /// - Throws: ``LoadError/Kind/io`` when that is not possible, or when it is a directory.
  /// - Parameter waits: Waits for somebody to open the other end of a named pipe.
  static func openForReading(_ path: String, waits: Bool = true) throws(LoadError) -> Int32 {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else {
      // A URL that is none may stand there, with a password.
      let shown = path.contains(":") ? CanonicalURL.withoutUser(path) : path
      throw LoadError(.io, "cannot read \(shown): \(reason(errno))")
    }
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw LoadError(.io, "cannot read \(path): \(reason(EISDIR))")
    }
    return descriptor
  }

  /// Opens or makes the file at `path`, which has what the user's mask leaves of 0666, as for every other tool;
  /// returns a negative number when that is not possible.
  static func openForWriting(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags | O_CLOEXEC, 0o666)
  }

  /// Waits until something happens with `descriptor`, which may be one that does not wait by itself: whoever opened it
  /// decides that for everybody who has it.
  ///
  /// - Parameter milliseconds: How long at the most; below zero for as long as it takes.
  /// - Returns: False when time was over before.
  @discardableResult
  static func wait(for descriptor: Int32, _ event: Int16, milliseconds: Int32 = -1) -> Bool {
    var wanted = pollfd(fd: descriptor, events: event, revents: 0)
    return unsafe poll(&wanted, 1, milliseconds) > 0
  }

  /// True when there is something to read, or an end, within `seconds`.
  static func hasInput(_ descriptor: Int32, within seconds: Int32) -> Bool {
    wait(for: descriptor, Int16(POLLIN), milliseconds: seconds * 1_000)
  }

  /// True when both names lead to the same file, now or once they are written.
  static func areSame(_ first: String, _ second: String) -> Bool {
    var one = stat()
    var other = stat()
    guard unsafe stat(first, &one) == 0, unsafe stat(second, &other) == 0 else {
      return first == second || resolved(first).map { $0 == resolved(second) } ?? false
    }
    return one.st_mode & S_IFMT == S_IFREG && one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// The name of what is not there yet, in a folder that may have several names; nil where there is no such folder.
  private static func resolved(_ path: String) -> String? {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = end == path.startIndex ? "." : String(path[..<end])
    guard let real = unsafe realpath(folder, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real) + "/" + path[end...]
  }

  /// Whether `path` is a directory; nil when nothing is there, or when the system does not tell.
  static func isDirectory(_ path: String) -> Bool? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  /// True when `descriptor` is a file, and the one at `path`.
  static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var first = stat()
    var second = stat()
    return unsafe fstat(descriptor, &first) == 0 && first.st_mode & S_IFMT == S_IFREG
      && stat(path, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// The bytes of an open file from `offset`, at most `count`; nil when they cannot be read.
  static func read(_ descriptor: Int32, atMost count: Int, at offset: Int) -> [UInt8]? {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }

  /// The next bytes, at most `count`; empty at the end, nil when they cannot be read.
  static func read(_ descriptor: Int32, atMost count: Int) -> [UInt8]? {
    var result = -1
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        #if canImport(Glibc)
          result = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
        #else
          result = unsafe Darwin.read(descriptor, buffer.baseAddress, count)
        #endif
        if result >= 0 { break }
        if errno == EAGAIN { wait(for: descriptor, Int16(POLLIN)) } else if errno != EINTR { break }
      }
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }

  /// The size of the terminal that standard error is; nil when it is none, or tells none.
  static var terminalSize: (columns: Int, lines: Int)? {
    let size = terminal_measure(STDERR_FILENO)
    return size.columns > 0 && size.lines > 0 ? (Int(size.columns), Int(size.lines)) : nil
  }

  /// Holds this thread up; a signal ends that early.
  static func sleep(_ duration: Duration) {
    let parts = max(duration, .zero).components
    // Attoseconds make a thousand millionth of a nanosecond.
    var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    _ = unsafe nanosleep(&time, nil)
  }

  /// What an error number of the system means, in words.
  static func reason(_ error: Int32) -> String {
    switch error {
    case ENOENT: "there is no such file or directory"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case EEXIST: "something else of that name is there"
    case ENOTDIR: "a part of the path is not a directory"
    case ENOSPC: "the disk is full"
    case ENAMETOOLONG: "the name is too long"
    case EROFS: "the disk is read-only"
    case EMFILE, ENFILE: "too many files are open"
    default: unsafe String(cString: strerror(error))
    }
  }
}
