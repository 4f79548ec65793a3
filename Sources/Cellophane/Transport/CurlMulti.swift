internal import CCurl
internal import Synchronization

/// libcurl's multi handle. Lives on the loop's thread, except for ``CurlBell``.
@safe struct CurlMulti: ~Copyable {
  private let handle: UnsafeMutableRawPointer
  /// The connections, which end with this.
  let sockets: CurlSockets

  /// Nil when libcurl is out of memory, or of descriptors: without one for the bell it would sleep through it.
  init?(_ configuration: CurlTransport.Configuration, _ timeline: Timeline) {
    guard Self.isLibraryReady, let handle = unsafe curl_multi_init() else { return nil }
    guard unsafe curl_multi_wakeup(handle) == CURLM_OK else {
      unsafe curl_multi_cleanup(handle)
      return nil
    }
    unsafe self.handle = handle
    let room = Int(cellophane_curl_room())
    sockets = CurlSockets(CurlWatch(timeline), ConnectionQueues(configuration, room: room))
    // What goes beyond waits inside libcurl, rather than take what others need.
    unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, room)
    if let connections = configuration.connectionsPerHost {
      unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    }
    unsafe cellophane_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, configuration.keptConnections)
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// What wakes ``wait(atMost:)`` from other threads.
  var bell: CurlBell { unsafe CurlBell(handle) }

  /// Starts a prepared hop.
  func add(_ easy: CurlEasy) -> Bool { unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK }

  /// Ends a hop. One that is not over loses its connection, or its stream in HTTP/2.
  func remove(_ easy: CurlEasy) { unsafe curl_multi_remove_handle(handle, easy.handle) }

  /// Does what can be done without waiting.
  func perform() {
    sockets.watch.during {
      var running: Int32 = 0
      unsafe curl_multi_perform(handle, &running)
    }
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

  /// Waits for a socket, for libcurl's own timers, for the bell, or for `time`.
  func wait(atMost time: Duration) {
    let milliseconds = Int32(clamping: Int64((time / .milliseconds(1)).rounded(.up)))
    unsafe curl_multi_poll(handle, nil, 0, max(0, milliseconds), nil)
  }

  private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

/// Wakes a multi handle: the one thing that may be done to it from another thread. It is kept where the
/// handle's end can be told under the same lock, because its address is all it has.
struct CurlBell: Sendable {
  private let address: UInt

  fileprivate init(_ handle: UnsafeMutableRawPointer) { address = UInt(bitPattern: handle) }

  func ring() {
    if let handle = unsafe UnsafeMutableRawPointer(bitPattern: address) { unsafe curl_multi_wakeup(handle) }
  }
}
