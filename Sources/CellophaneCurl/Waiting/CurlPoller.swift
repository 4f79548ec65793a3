internal import CCurl

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The sockets and the timeout that libcurl waits for. Confined to the loop's thread.
///
/// The poller reports ready sockets to libcurl, which examines no others. `curl_multi_perform` would query
/// the system about each transfer in every iteration: with 64 running transfers, 64 system calls for the few
/// that are ready.
final class CurlPoller {
  let wakeup: WakeupDescriptor
  private let timeline: Timeline
  /// The wake-up descriptor, followed by each socket that libcurl waits for.
  private var descriptors: [pollfd]
  /// The index in `descriptors` for each socket number; 0, the index of the wake-up descriptor, for other
  /// sockets. The array stays short because the system assigns the lowest free number.
  private var indices: [Int32] = []
  /// The sockets that are ready.
  private var ready: [(socket: curl_socket_t, events: Int32)] = []
  /// The time at which libcurl must be called even if no socket is ready.
  private var timeout: Duration?

  /// Creates a poller; nil if no file descriptor is available for the wake-up descriptor.
  init?(_ timeline: Timeline) {
    guard let wakeup = WakeupDescriptor() else { return nil }
    self.wakeup = wakeup
    self.timeline = timeline
    descriptors = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
  }

  /// Sets the events that libcurl waits for at `socket`: one of `CURL_POLL_…`.
  func expect(_ interest: Int32, at socket: curl_socket_t) {
    guard socket >= 0 else { return }
    var events: Int32 = 0
    if interest & CURL_POLL_IN != 0, interest != CURL_POLL_REMOVE { events |= POLLIN }
    if interest & CURL_POLL_OUT != 0, interest != CURL_POLL_REMOVE { events |= POLLOUT }
    let descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
    switch (index(of: socket), events) {
    case (0, 0): break
    case (0, _):
      let missing = Int(socket) + 1 - indices.count
      if missing > 0 { indices.append(contentsOf: repeatElement(0, count: missing)) }
      indices[Int(socket)] = Int32(descriptors.count)
      descriptors.append(descriptor)
    case (let index, 0):
      // The last descriptor fills the gap.
      let last = descriptors.removeLast()
      if index < descriptors.count { (descriptors[index], indices[Int(last.fd)]) = (last, Int32(index)) }
      indices[Int(socket)] = 0
    case (let index, _): descriptors[index] = descriptor
    }
  }

  /// Sets the timeout in milliseconds from now; a negative value removes it.
  func expect(in milliseconds: Int) {
    timeout = milliseconds < 0 ? nil : timeline.now + .milliseconds(milliseconds)
  }

  /// Waits until a socket is ready, the wake-up descriptor is signaled, the timeout of libcurl passes, or
  /// `limit`.
  func wait(atMost limit: Duration) {
    let remaining = min(limit, timeout.map { $0 - timeline.now } ?? limit)
    let milliseconds = Int32(clamping: remaining.millisecondsUp)
    ready.removeAll(keepingCapacity: true)
    guard unsafe poll(&descriptors, nfds_t(descriptors.count), max(0, milliseconds)) > 0 else { return }
    if descriptors[0].revents != 0 { wakeup.clear() }
    for descriptor in descriptors.dropFirst() where descriptor.revents != 0 {
      var events: Int32 = 0
      // The next read or write reports an error or the end of the stream.
      let hasEnded = Int32(descriptor.revents) & ~(POLLIN | POLLOUT) != 0
      let signaled = hasEnded ? descriptor.events : descriptor.revents
      if Int32(signaled) & POLLIN != 0 { events |= CURL_CSELECT_IN }
      if Int32(signaled) & POLLOUT != 0 { events |= CURL_CSELECT_OUT }
      ready.append((descriptor.fd, events))
    }
  }

  /// Removes and returns a ready socket that libcurl still waits for.
  func nextReady() -> (socket: curl_socket_t, events: Int32)? {
    while let next = ready.popLast() {
      if index(of: next.socket) != 0 { return next }
    }
    return nil
  }

  private func index(of socket: curl_socket_t) -> Int {
    indices.indices.contains(Int(socket)) ? Int(indices[Int(socket)]) : 0
  }

  /// Returns true once after the timeout of libcurl has passed.
  func takeTimeout() -> Bool {
    guard let timeout, timeout <= timeline.now else { return false }
    self.timeout = nil
    return true
  }
}
