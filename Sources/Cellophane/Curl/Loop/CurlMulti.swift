internal import CCurl
internal import Synchronization

/// libcurl's multi handle. Lives on the loop's thread.
@safe struct CurlMulti: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  private let waits: CurlPoller
  private let timeline: Timeline
  /// Whether a hop was added since libcurl last worked.
  private var hasNew = false
  /// The connections, which end with this.
  let sockets: CurlSockets
  /// How many names may be looked up at once.
  let mostLookUps: Int

  /// What a look-up takes besides what its connection will: two ends of a pair that wakes libcurl, and the resolver's
  /// socket, for which it has that of the connection.
  private static let descriptorsOfLookUp = 2

  /// Nil when libcurl is out of memory, or the process of descriptors: without one for the bell nobody could wake it.
  init?(_ configuration: CurlTransport.Configuration, _ timeline: Timeline) {
    guard Self.isLibraryReady, let waits = CurlPoller(timeline), let handle = unsafe curl_multi_init() else {
      return nil
    }
    unsafe self.handle = handle
    self.waits = waits
    self.timeline = timeline
    unsafe cellophane_curl_multi_set_callbacks(
      handle, Unmanaged.passUnretained(waits).toOpaque(), onSocketWait, onTimeWait)
    let room = max(1, Int(cellophane_curl_room()) / configuration.eventLoops)
    // An eighth: with these a quarter of all descriptors is for look-ups, which are soon over.
    let share = NameLookups<CurlExchange>.mostAtOnce / configuration.eventLoops
    mostLookUps = max(1, min(share, room / 8))
    sockets = CurlSockets(CurlWatch(timeline), ConnectionQueues(configuration, room: room))
    // What goes beyond waits inside libcurl, rather than take what others need.
    let connections = max(1, room - mostLookUps * Self.descriptorsOfLookUp)
    unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections)
    if let connections = configuration.connectionsPerHost {
      unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    }
    keep(configuration.maxIdleConnections)
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// What wakes ``wait(atMost:)`` from other threads.
  var bell: WakeupDescriptor { waits.bell }

  /// From now on so many connections stay open, those in use among them.
  func keep(_ connections: Int) {
    unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, connections)
  }

  /// Starts a prepared hop, which libcurl gives a connection in the next ``perform()`` at the earliest.
  mutating func add(_ easy: CurlEasy) -> Bool {
    hasNew = true
    return unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK
  }

  /// Ends a hop. One that is not over loses its connection, or its stream in HTTP/2.
  func remove(_ easy: CurlEasy) { unsafe curl_multi_remove_handle(handle, easy.handle) }

  /// Does what there is to do since ``wait(atMost:)`` came back, and what is late.
  mutating func perform() {
    // Before libcurl gives one of them to what was begun, all at once: each look is a call of the system.
    if hasNew {
      hasNew = false
      sockets.breakThoseThatSpeak(at: timeline.now)
    }
    sockets.watch.during {
      while let (socket, events) = waits.nextReady() { act(socket, events) }
      if waits.isTime() { act(CURL_SOCKET_TIMEOUT, 0) }
    }
  }

  private func act(_ socket: curl_socket_t, _ events: Int32) {
    var running: Int32 = 0
    unsafe curl_multi_socket_action(handle, socket, events, &running)
  }

  /// Takes out one hop that is over.
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

  /// Waits for what libcurl waits for, for the bell, or for `time`.
  func wait(atMost time: Duration) { waits.wait(atMost: time) }

  /// Whether libcurl is ready, and what it is built on; the first who asks sees to it.
  static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

private func waits(_ context: UnsafeMutableRawPointer) -> CurlPoller {
  unsafe Unmanaged<CurlPoller>.fromOpaque(context).takeUnretainedValue()
}

private let onSocketWait: curl_socket_callback = { handle, socket, what, context, _ in
  if let context = unsafe context { unsafe waits(context).expect(what, at: socket) }
  if what == CURL_POLL_IN, let handle = unsafe handle, let easy = unsafe cellophane_curl_context(handle) {
    unsafe Unmanaged<CurlEasy>.fromOpaque(easy).takeUnretainedValue().noteReading(from: socket)
  }
  return 0
}

private let onTimeWait: curl_multi_timer_callback = { _, milliseconds, context in
  if let context = unsafe context { unsafe waits(context).expect(in: milliseconds) }
  return 0
}
