internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A thread of our own, for a loop that blocks in the kernel and therefore must not sit on Swift's pool.
///
/// The body is boxed and handed to the new thread, which owns it from then on (`passRetained` here,
/// `takeRetainedValue` there). A thread that was not joined is detached when this value goes away.
package final class WorkThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: Mutex<pthread_t?>

  /// Starts `body`; nil when the system has no thread left.
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

  /// Writing to a closed connection is an error on this thread, not the end of the process.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the body's end, which must be near: it blocks the caller.
  package func join() {
    if let thread = thread.withLock({ $0.take() }) { pthread_join(thread, nil) }
  }

  deinit {
    if let thread = thread.withLock({ $0.take() }) { pthread_detach(thread) }
  }
}
