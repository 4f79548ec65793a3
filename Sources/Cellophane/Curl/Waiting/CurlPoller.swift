internal import CCurl

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What libcurl waits for: some of its sockets, and a time. Lives on the loop's thread.
///
/// So libcurl is told what has come, and looks at nothing else. Left to itself (`curl_multi_perform`) it asks the system
/// about each transfer at every turn: with 64 under way, 64 calls for the few that have something.
final class CurlPoller {
  let bell: WakeupDescriptor
  private let timeline: Timeline
  /// The bell, and every socket that libcurl waits for.
  private var descriptors: [pollfd]
  /// Where each of them stands there, by its number; 0, the bell's place, for one that does not. The system gives the
  /// lowest number that is free.
  private var places: [Int32] = []
  /// The sockets at which something has come.
  private var ready: [(socket: curl_socket_t, events: Int32)] = []
  /// When libcurl wants to be called though nothing has come.
  private var time: Duration?

  /// Nil when the process has no descriptor left for the bell.
  init?(_ timeline: Timeline) {
    guard let bell = WakeupDescriptor() else { return nil }
    self.bell = bell
    self.timeline = timeline
    descriptors = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
  }

  /// Notes what libcurl waits for at `socket` from now on: one of `CURL_POLL_…`.
  func expect(_ what: Int32, at socket: curl_socket_t) {
    guard socket >= 0 else { return }
    var events: Int32 = 0
    if what & CURL_POLL_IN != 0, what != CURL_POLL_REMOVE { events |= POLLIN }
    if what & CURL_POLL_OUT != 0, what != CURL_POLL_REMOVE { events |= POLLOUT }
    let descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
    switch (place(of: socket), events) {
    case (0, 0): break
    case (0, _):
      let missing = Int(socket) + 1 - places.count
      if missing > 0 { places.append(contentsOf: repeatElement(0, count: missing)) }
      places[Int(socket)] = Int32(descriptors.count)
      descriptors.append(descriptor)
    case (let place, 0):
      // The last takes its place.
      let last = descriptors.removeLast()
      if place < descriptors.count { (descriptors[place], places[Int(last.fd)]) = (last, Int32(place)) }
      places[Int(socket)] = 0
    case (let place, _): descriptors[place] = descriptor
    }
  }

  /// Notes when libcurl wants to be called, from now in milliseconds; below zero, when something has come.
  func expect(in milliseconds: Int) {
    time = milliseconds < 0 ? nil : timeline.now + .milliseconds(milliseconds)
  }

  /// Waits for what libcurl waits for, for the bell, or for `time`.
  func wait(atMost limit: Duration) {
    let wait = min(limit, time.map { $0 - timeline.now } ?? limit)
    let milliseconds = Int32(clamping: wait.millisecondsUp)
    ready.removeAll(keepingCapacity: true)
    guard unsafe poll(&descriptors, nfds_t(descriptors.count), max(0, milliseconds)) > 0 else { return }
    if descriptors[0].revents != 0 { bell.silence() }
    for descriptor in descriptors.dropFirst() where descriptor.revents != 0 {
      var events: Int32 = 0
      // An error or an end is told to who next reads or writes.
      let isOver = Int32(descriptor.revents) & ~(POLLIN | POLLOUT) != 0
      let come = isOver ? descriptor.events : descriptor.revents
      if Int32(come) & POLLIN != 0 { events |= CURL_CSELECT_IN }
      if Int32(come) & POLLOUT != 0 { events |= CURL_CSELECT_OUT }
      ready.append((descriptor.fd, events))
    }
  }

  /// Takes a socket at which something has come, and for which libcurl still waits.
  func nextReady() -> (socket: curl_socket_t, events: Int32)? {
    while let next = ready.popLast() {
      if place(of: next.socket) != 0 { return next }
    }
    return nil
  }

  private func place(of socket: curl_socket_t) -> Int {
    places.indices.contains(Int(socket)) ? Int(places[Int(socket)]) : 0
  }

  /// True, once, when the time is there at which libcurl wants to be called.
  func isTime() -> Bool {
    guard let time, time <= timeline.now else { return false }
    self.time = nil
    return true
  }
}
