internal import CMicroHTTPD
internal import Cellophane
internal import CellophaneNetwork
internal import Synchronization

/// A connection of libmicrohttpd that can be suspended. Its address is valid while it is suspended and while one of its
/// callbacks runs, and is not used at other times.
struct HeldConnection: Hashable, Sendable {
  let socket: Int32
  private let address: UInt

  init(_ connection: OpaquePointer, socket: Int32) {
    address = UInt(bitPattern: connection)
    self.socket = socket
  }

  func suspend() {
    if let connection = unsafe OpaquePointer(bitPattern: address) {
      unsafe MHD_suspend_connection(connection)
    }
  }

  func resume() {
    if let connection = unsafe OpaquePointer(bitPattern: address) { unsafe MHD_resume_connection(connection) }
  }

  /// Returns true when the peer of `socket` has closed.
  static func isHungUp(_ socket: Int32) -> Bool { cellophane_is_hung_up(socket) != 0 }
}

/// An HTTP/1.1 server of libmicrohttpd on a separate thread. Its callbacks call ``Exchange``.
///
/// Ownership: the context of all callbacks is this object. It outlives the daemon, because `stop` ends the daemon
/// first. libmicrohttpd retains a connection or an exchange from the callback that creates it to the callback that
/// reports its end.
final class MicroHTTPD: Sendable {
  fileprivate let link: OriginLink
  private let daemon = Mutex<UInt>(0)

  init(link: OriginLink) { self.link = link }

  /// Starts to listen, and returns the port.
  func start(port: UInt16, isPublic: Bool, identity: TLSIdentity?) throws(LoadError) -> Int {
    let started = unsafe withIdentity(identity) { certificate, key in
      unsafe cellophane_start_origin(
        cellophane_origin(
          port: port, is_public: isPublic ? 1 : 0, context: Unmanaged.passUnretained(self).toOpaque(),
          answer: answer, begin: begin, end: end, connection: connectionChanged, certificate: certificate,
          key: key))
    }
    guard let started = unsafe started else {
      throw LoadError(
        .io,
        "the origin cannot listen on port \(port), which may be in use; choose another, or 0 for any free one",
        isRetryable: true)
    }
    daemon.withLock { $0 = UInt(bitPattern: started) }
    return Int(unsafe cellophane_origin_port(started))
  }

  /// Closes every connection and joins the thread. The pacer must have resumed all connections before.
  func stop() {
    let address = daemon.withLock { daemon in
      defer { daemon = 0 }
      return daemon
    }
    if let daemon = unsafe OpaquePointer(bitPattern: address) { unsafe MHD_stop_daemon(daemon) }
  }

  private func withIdentity(
    _ identity: TLSIdentity?, _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> OpaquePointer?
  ) -> OpaquePointer? {
    guard let identity else { return unsafe body(nil, nil) }
    return unsafe identity.certificatePEM.withCString { certificate in
      unsafe identity.privateKeyPEM.withCString { key in unsafe body(certificate, key) }
    }
  }
}

private let connectionChanged: MHD_NotifyConnectionCallback = { context, handle, slot, change in
  guard let context = unsafe context, let handle = unsafe handle, let slot = unsafe slot else { return }
  let server = unsafe Unmanaged<MicroHTTPD>.fromOpaque(context).takeUnretainedValue()
  if change == .CONNECTION_NOTIFY_STARTED {
    let socket = unsafe cellophane_connection_socket(handle)
    // A larger buffer would accept a small image at once and hide the rate of the link.
    if server.link.pacer.piece != nil { cellophane_limit_send_buffer(socket, 16 << 10) }
    let connection = OriginConnection(
      number: server.link.ledger.write { $0.open() }, socket: socket,
      window: SendWindow(server.link.network))
    unsafe slot.pointee = Unmanaged.passRetained(connection).toOpaque()
  } else if let connection = unsafe slot.pointee {
    unsafe Unmanaged<OriginConnection>.fromOpaque(connection).release()
    unsafe slot.pointee = nil
    server.link.ledger.write { $0.close() }
  }
}

private let begin:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? =
    {
      context, uri, handle in
      guard let context = unsafe context, let uri = unsafe uri, let handle = unsafe handle,
        let slot = unsafe cellophane_connection_context(handle)
      else { return nil }
      let server = unsafe Unmanaged<MicroHTTPD>.fromOpaque(context).takeUnretainedValue()
      let connection = unsafe Unmanaged<OriginConnection>.fromOpaque(slot).takeUnretainedValue()
      let exchange = unsafe Exchange(
        String(cString: uri), on: server.link, over: connection,
        HeldConnection(handle, socket: connection.socket))
      return unsafe Unmanaged.passRetained(exchange).toOpaque()
    }

private let answer: MHD_AccessHandlerCallback = { _, handle, _, method, _, _, uploadSize, slot in
  guard let handle = unsafe handle, let method = unsafe method, let context = unsafe slot?.pointee,
    let uploadSize = unsafe uploadSize
  else { return .NO }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  // The body of a request is read to its end and discarded.
  if unsafe uploadSize.pointee > 0 {
    unsafe uploadSize.pointee = 0
    return .YES
  }
  guard exchange.isRequestComplete() else { return .YES }
  let size = Int(unsafe cellophane_request_head_size(handle))
  let head = unsafe exchange.head(method: String(cString: method), headSize: size) {
    unsafe requestHeaders(of: handle)
  }
  switch head {
  case .wait: return .YES
  case .refuse: return .NO
  case .send(let response): return unsafe send(response, for: exchange, over: handle)
  }
}

private func send(_ response: OriginResponse, for exchange: Exchange, over handle: OpaquePointer)
  -> MHD_Result
{
  let size: UInt64 =
    switch response.framing {
    case .length: UInt64(response.body.count)
    case .chunked: .max  // MHD_SIZE_UNKNOWN
    case .claimed(let size): UInt64(max(0, size))
    }
  // 64 KB: the amount that a socket accepts at once on loopback.
  let block = min(max(response.body.count, 1024), 64 << 10)
  guard
    let answer = unsafe MHD_create_response_from_callback(
      size, block, piece, Unmanaged.passUnretained(exchange).toOpaque(), nil)
  else { return .NO }
  defer { unsafe MHD_destroy_response(answer) }
  for field in response.headers.fields {
    _ = unsafe MHD_add_response_header(answer, field.name, field.value)
  }
  return unsafe MHD_queue_response(handle, UInt32(clamping: response.status), answer)
}

private let piece: MHD_ContentReaderCallback = { context, position, buffer, room in
  guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  switch exchange.piece(at: Int(clamping: position), room: room) {
  case .wait: return 0
  case .end: return -1  // MHD_CONTENT_READER_END_OF_STREAM
  case .fail: return -2  // MHD_CONTENT_READER_END_WITH_ERROR
  case .bytes(let range):
    unsafe exchange.body.withUnsafeBytes { body in
      unsafe UnsafeMutableRawBufferPointer(start: buffer, count: room)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[range]))
    }
    return range.count
  }
}

private let end: MHD_RequestCompletedCallback = { _, _, slot, reason in
  guard let context = unsafe slot?.pointee else { return }
  unsafe slot?.pointee = nil
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeRetainedValue()
  exchange.finish(isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
}

private func requestHeaders(of handle: OpaquePointer) -> HeaderFields {
  var headers = HeaderFields()
  unsafe withUnsafeMutablePointer(to: &headers) { headers in
    _ = unsafe MHD_get_connection_values(
      handle, .HEADER_KIND,
      { headers, _, name, value in
        guard let headers = unsafe headers, let name = unsafe name else { return .YES }
        let text = unsafe value.map { unsafe String(cString: $0) } ?? ""
        unsafe headers.assumingMemoryBound(to: HeaderFields.self).pointee.append(String(cString: name), text)
        return .YES
      }, headers)
  }
  return headers
}
