internal import CCurl
internal import Synchronization

/// The multi handle of libcurl. Confined to the loop's thread.
@safe struct CurlMulti: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  private let poller: CurlPoller
  private let timeline: Timeline
  /// True if a hop was added since libcurl last ran.
  private var hasNew = false
  /// The connections, which end with this value.
  let sockets: CurlSockets
  /// The maximum number of concurrent lookups.
  let maxLookups: Int

  /// The descriptors of a lookup in addition to those of its connection: the two ends of a socket pair that
  /// wakes libcurl. The resolver's socket is counted as that of the connection.
  private static let descriptorsPerLookup = 2

  /// Creates a multi handle; nil if libcurl is out of memory, or if no file descriptor is available to wake
  /// the loop.
  init?(_ configuration: CurlTransport.Configuration, _ timeline: Timeline) {
    guard CurlLibrary.isReady, let poller = CurlPoller(timeline), let handle = unsafe curl_multi_init() else {
      return nil
    }
    unsafe self.handle = handle
    self.poller = poller
    self.timeline = timeline
    unsafe cellophane_curl_multi_set_callbacks(
      handle, Unmanaged.passUnretained(poller).toOpaque(), onSocketInterest, onTimeout)
    let capacity = max(1, Int(cellophane_curl_free_descriptors()) / configuration.eventLoops)
    // An eighth: with their additional descriptors, lookups then use at most a quarter of all descriptors,
    // and only briefly.
    let share = NameLookups<CurlExchange>.maxConcurrent / configuration.eventLoops
    maxLookups = max(1, min(share, capacity / 8))
    sockets = CurlSockets(CurlWatchdog(timeline), ConnectionQueues(configuration, capacity: capacity))
    // Transfers beyond this limit wait inside libcurl and leave descriptors to others.
    let connections = max(1, capacity - maxLookups * Self.descriptorsPerLookup)
    unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections)
    if let connections = configuration.connectionsPerHost {
      unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    }
    keep(configuration.maxIdleConnections)
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// The descriptor that wakes ``wait(atMost:)`` from other threads.
  var wakeup: WakeupDescriptor { poller.wakeup }

  /// Sets the number of connections that stay open, including those in use.
  func keep(_ connections: Int) {
    unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, connections)
  }

  /// Starts a prepared hop, which gets a connection in the next ``perform()`` at the earliest.
  mutating func add(_ easy: CurlEasy) -> Bool {
    hasNew = true
    return unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK
  }

  /// Removes a hop. An unfinished hop loses its connection, or its stream in HTTP/2.
  func remove(_ easy: CurlEasy) { unsafe curl_multi_remove_handle(handle, easy.handle) }

  /// Handles ready sockets and timeouts.
  mutating func perform() {
    // Before libcurl reuses a connection for new hops, and once for all of them: each check is a system call.
    if hasNew {
      hasNew = false
      sockets.breakStaleConnections(at: timeline.now)
    }
    sockets.watchdog.run {
      while let (socket, events) = poller.nextReady() { act(socket, events) }
      if poller.takeTimeout() { act(CURL_SOCKET_TIMEOUT, 0) }
    }
  }

  private func act(_ socket: curl_socket_t, _ events: Int32) {
    var running: Int32 = 0
    unsafe curl_multi_socket_action(handle, socket, events, &running)
  }

  /// Returns the next finished hop.
  func nextFinished() -> (easy: CurlEasy, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(handle, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle,
        let context = unsafe cellophane_curl_context(handle)
      else { continue }
      let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
      return (easy, unsafe message.pointee.data.result)
    }
    return nil
  }

  /// Waits until a socket is ready, the wake-up descriptor is signaled, or `time` passes.
  func wait(atMost time: Duration) { poller.wait(atMost: time) }
}

private func poller(_ context: UnsafeMutableRawPointer) -> CurlPoller {
  unsafe Unmanaged<CurlPoller>.fromOpaque(context).takeUnretainedValue()
}

private let onSocketInterest: curl_socket_callback = { handle, socket, interest, context, _ in
  if let context = unsafe context { unsafe poller(context).expect(interest, at: socket) }
  if interest == CURL_POLL_IN, let handle = unsafe handle, let easy = unsafe cellophane_curl_context(handle) {
    unsafe Unmanaged<CurlEasy>.fromOpaque(easy).takeUnretainedValue().noteReading(from: socket)
  }
  return 0
}

private let onTimeout: curl_multi_timer_callback = { _, milliseconds, context in
  if let context = unsafe context { unsafe poller(context).expect(in: milliseconds) }
  return 0
}
