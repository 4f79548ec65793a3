internal import CGnuTLS
internal import CMicroHTTPD
internal import Cellophane

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A certificate and its key in the form that GnuTLS uses.
@safe final class ServerCredentials: Sendable {
  private let address: UInt
  private let applicationProtocol: String?

  /// Creates the credentials of `identity`, for a server that offers `applicationProtocol` (ALPN).
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

  /// Performs the handshake on `socket` and returns the session, or nil when the handshake fails. The session must end
  /// before this object does.
  func accept(_ socket: Int32) -> OpaquePointer? {
    guard let credentials = unsafe OpaquePointer(bitPattern: address) else { return nil }
    guard let applicationProtocol else { return unsafe cellophane_tls_accept(credentials, socket, nil) }
    return unsafe applicationProtocol.withCString { unsafe cellophane_tls_accept(credentials, socket, $0) }
  }
}

/// One connection of a ``RawOrigin``, plain or encrypted. It does not own the socket.
@safe struct RawConnection: ~Copyable {
  private let socket: Int32
  private let credentials: ServerCredentials?
  private let session: OpaquePointer?
  /// Received bytes after the last complete frame of HTTP/2.
  private var unread: [UInt8] = []
  private var hasReadPreface = false

  /// Creates a connection on `socket`; nil when the TLS handshake fails.
  init?(_ socket: Int32, _ credentials: ServerCredentials?) {
    self.socket = socket
    self.credentials = credentials
    // Without Nagle's algorithm, the bytes of a step arrive over loopback before the next step begins.
    var isOn: Int32 = 1
    unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    unsafe session = credentials?.accept(socket)
    if credentials != nil, unsafe session == nil { return nil }
  }

  deinit { if let session = unsafe session { unsafe gnutls_deinit(session) } }

  /// Reads up to an empty line, or up to the first part of a TLS handshake. Returns nil when the connection ends
  /// before.
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

  /// Skips the preface and the frames of HTTP/2 up to the head of a request (RFC 9113, sections 3.4 and 4.1). Returns
  /// false when the connection ends before.
  mutating func readStream() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      if !hasReadPreface, unread.count >= 24 {
        unread.removeFirst(24)
        hasReadPreface = true
      }
      if hasReadPreface, unread.count >= 9 {
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

  /// Reads the next bytes; nil at the end of the connection.
  func readBytes() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = receive(&bytes)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Forwards bytes between this connection and a port on loopback, in both directions.
  func relay(to port: Int) {
    let other = cellophane_connect(Int32(port))
    guard other >= 0 else { return }
    cellophane_relay(socket, other)
    close(other)
  }

  /// Sends all of `bytes`. Returns false when the peer has closed.
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

  /// Waits for `time`, without limit when nil. Returns true as soon as the peer closes.
  func waitsForHangUp(_ time: Duration?) -> Bool {
    var descriptor = pollfd(fd: socket, events: Int16(CELLOPHANE_POLL_HANGUP), revents: 0)
    let nanoseconds = time.map { Int64($0 / .nanoseconds(1)) } ?? -1
    return unsafe cellophane_poll(&descriptor, 1, nanoseconds) > 0
  }

  /// Closes the sending side.
  func halfClose() {
    sendCloseNotify()
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Sends the close notification of TLS, if the connection is encrypted.
  func sendCloseNotify() {
    if let session = unsafe session { unsafe gnutls_bye(session, GNUTLS_SHUT_WR) }
  }

  /// Makes the connection end with a reset.
  func setReset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  private func receive(_ bytes: inout [UInt8]) -> Int {
    if let session = unsafe session { return unsafe gnutls_record_recv(session, &bytes, bytes.count) }
    return unsafe read(socket, &bytes, bytes.count)
  }
}
