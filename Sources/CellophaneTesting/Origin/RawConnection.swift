internal import CGnuTLS
internal import CMicroHTTPD
internal import Cellophane

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A certificate and key as GnuTLS wants them.
@safe final class ServerCredentials: Sendable {
  private let address: UInt
  private let applicationProtocol: String?

  /// Those of `identity`, for a server that speaks `applicationProtocol` (ALPN).
  init(_ identity: TLSIdentity, speaking applicationProtocol: String?) throws(LoadError) {
    let credentials = unsafe identity.certificatePEM.withCString { certificate in
      unsafe identity.privateKeyPEM.withCString { key in unsafe cellophane_tls_credentials(certificate, key) }
    }
    guard let credentials = unsafe credentials else {
      throw LoadError(.invalidRequest, "the identity is no PEM certificate with its key")
    }
    address = UInt(bitPattern: credentials)
    self.applicationProtocol = applicationProtocol
  }

  deinit {
    if let credentials = unsafe OpaquePointer(bitPattern: address) {
      unsafe gnutls_certificate_free_credentials(credentials)
    }
  }

  /// A session on `socket`, after the handshake; nil when there was none. It must end before this.
  func accept(_ socket: Int32) -> OpaquePointer? {
    guard let credentials = unsafe OpaquePointer(bitPattern: address) else { return nil }
    guard let applicationProtocol else { return unsafe cellophane_tls_accept(credentials, socket, nil) }
    return unsafe applicationProtocol.withCString { unsafe cellophane_tls_accept(credentials, socket, $0) }
  }
}

/// One connection of a ``RawOrigin``, plain or encrypted. The socket is its owner's.
@safe struct RawConnection: ~Copyable {
  private let socket: Int32
  private let credentials: ServerCredentials?
  private let session: OpaquePointer?
  /// What came behind the last frame of HTTP/2.
  private var unread: [UInt8] = []
  private var hasGreeted = false

  /// Nil when TLS was wanted and not agreed on.
  init?(_ socket: Int32, _ credentials: ServerCredentials?) {
    self.socket = socket
    self.credentials = credentials
    // What a step sends has arrived when the next one begins: over loopback, unless TCP waits to send more at once.
    var isOn: Int32 = 1
    unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    unsafe session = credentials?.accept(socket)
    if credentials != nil, unsafe session == nil { return nil }
  }

  deinit { if let session = unsafe session { unsafe gnutls_deinit(session) } }

  /// The bytes up to an empty line, or to the first piece of a TLS greeting; nil at the end before that.
  func readHead() -> [UInt8]? {
    var head: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while head.suffix(4) != [0x0D, 0x0A, 0x0D, 0x0A], head.first != 0x16 {
      let count = receive(&bytes)
      if count <= 0 { return nil }
      head += bytes[..<count]
    }
    return head
  }

  /// Passes over the greeting and frames of HTTP/2 up to the head of a request; false at the end before that (RFC 9113,
  /// sections 3.4 and 4.1).
  mutating func readStream() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      if !hasGreeted, unread.count >= 24 {
        unread.removeFirst(24)
        hasGreeted = true
      }
      if hasGreeted, unread.count >= 9 {
        let length = 9 + unread[..<3].reduce(0) { $0 << 8 | Int($1) }
        if unread.count >= length {
          let isHead = unread[3] == 1
          unread.removeFirst(length)
          if isHead { return true }
          continue
        }
      }
      let count = receive(&bytes)
      if count <= 0 { return false }
      unread += bytes[..<count]
    }
  }

  /// What comes next; nil at the end.
  func take() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = receive(&bytes)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Hands on what comes from here to a port of loopback, and what comes from there.
  func relay(to port: Int) {
    let other = cellophane_connect(Int32(port))
    guard other >= 0 else { return }
    cellophane_relay(socket, other)
    close(other)
  }

  /// Sends all of `bytes`; false when the other side has gone.
  func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[sent...])
        if let session = unsafe session {
          return unsafe gnutls_record_send(session, rest.baseAddress, rest.count)
        }
        return unsafe send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Waits so long, or for ever, and tells whether the other side closed meanwhile.
  func waitsForHangUp(_ time: Duration?) -> Bool {
    var descriptor = pollfd(fd: socket, events: Int16(CELLOPHANE_POLL_HANGUP), revents: 0)
    let nanoseconds = time.map { Int64($0 / .nanoseconds(1)) } ?? -1
    return unsafe cellophane_poll(&descriptor, 1, nanoseconds) > 0
  }

  /// Sends no more.
  func halfClose() {
    sayGoodbye()
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Ends the encryption, if any, the way a server does.
  func sayGoodbye() {
    if let session = unsafe session { unsafe gnutls_bye(session, GNUTLS_SHUT_WR) }
  }

  /// Makes the end of the connection a reset.
  func setReset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  private func receive(_ bytes: inout [UInt8]) -> Int {
    if let session = unsafe session { return unsafe gnutls_record_recv(session, &bytes, bytes.count) }
    return unsafe read(socket, &bytes, bytes.count)
  }
}
