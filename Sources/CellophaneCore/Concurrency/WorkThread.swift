internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A dedicated thread for a loop that blocks in the kernel and must not occupy Swift's pool.
///
/// The closure is boxed and passed to the new thread, which then owns it (`passRetained` here,
/// `takeRetainedValue` there). A thread that was not joined is detached when this object is deallocated.
package final class WorkThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: Mutex<pthread_t?>

  /// Starts `body` on a new thread; nil if the system has no thread left.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Body(body))
    var thread = pthread_t(bitPattern: 0)
    let status = unsafe pthread_create(
      &thread, nil,
      { box in
        if let box = unsafe box as UnsafeMutableRawPointer? {
          WorkThread.blockBrokenPipes()
          unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        }
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      unsafe box.release()
      return nil
    }
    self.thread = Mutex(thread)
  }

  /// Blocks SIGPIPE: writing to a closed connection then fails on this thread and does not end the process.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the end of the closure. Blocks the caller, so the end must be near.
  package func join() {
    if let thread = thread.withLock({ $0.take() }) { pthread_join(thread, nil) }
  }

  deinit {
    if let thread = thread.withLock({ $0.take() }) { pthread_detach(thread) }
  }
}
