#if os(Linux)
  @testable internal import CellophaneCurl
  internal import CellophaneTestOrigin
  internal import CCurl
  internal import Glibc
  internal import Testing

  @Suite("Connections that libcurl keeps", .timeLimit(.minutes(1)))
  struct CurlSocketsTests {
    /// Returns a socket that is connected to `port` on 127.0.0.1, from the port `local`, or from any port if that is 0.
    private func connect(to port: Int, from local: UInt16) throws -> Int32 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var isShared: Int32 = 1
      try #require(
        unsafe setsockopt(
          descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size)) == 0)
      for (port, isLocal) in [(local, true), (UInt16(port), false)] {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
          let end = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
          let size = socklen_t(bytes.count)
          return unsafe isLocal ? bind(descriptor, end, size) : Glibc.connect(descriptor, end, size)
        }
        try #require(result == 0, "errno \(errno)")
      }
      return descriptor
    }

    private func localPort(of descriptor: Int32) throws -> UInt16 {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        unsafe getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
      }
      try #require(result == 0)
      return UInt16(bigEndian: address.sin_port)
    }

    @Test("two connections from one local port are counted and forgotten separately")
    func oneLocalPort() throws {
      let sent = [10, 1_000]
      let origins = try sent.map { count in
        try RawOrigin { _ in [.send([UInt8](repeating: 1, count: count)), .hold] }
      }
      defer { for origin in origins { origin.stop() } }
      let first = try connect(to: origins[0].port, from: 0)
      let port = try localPort(of: first)
      let opened = [first, try connect(to: origins[1].port, from: port)]
      defer { for descriptor in opened { close(descriptor) } }
      let sockets = CurlSockets(
        CurlWatchdog(Timeline()), ConnectionQueues(CurlTransport.Configuration(), capacity: 10))
      let users = try opened.map { _ in
        try #require(
          CurlEasy(CurlTransport.Configuration(), AddressResolution(), Timeline(), NextDeadline(), sockets))
      }
      let endpoints = origins.map {
        CurlSockets.Endpoints(
          local: .init(ip: "127.0.0.1", port: Int32(port)),
          remote: .init(ip: "127.0.0.1", port: Int32($0.port)))
      }
      let connections = try (0..<2).map { index in
        // Both sockets are new, as if libcurl tried two addresses of a host at the same time.
        let (connection, isNew) = sockets.use(endpoints[index], by: users[index], among: opened)
        #expect(isNew)
        var bytes = [UInt8](repeating: 0, count: sent[index])
        #expect(unsafe recv(opened[index], &bytes, sent[index], Int32(MSG_WAITALL)) == sent[index])
        return try #require(connection)
      }
      #expect(connections.map(\.received) == sent)
      sockets.forget(opened[0])
      #expect(connections.map(\.received) == [nil, 1_000])
    }

    /// Reads `count` bytes, or only waits for them if `peeking`.
    private func receive(_ count: Int, from descriptor: Int32, peeking: Bool = false) {
      var bytes = [UInt8](repeating: 0, count: count)
      let flags = Int32(MSG_WAITALL) | (peeking ? Int32(MSG_PEEK) : 0)
      #expect(unsafe recv(descriptor, &bytes, count, flags) == count)
    }

    @Test(
      "a check breaks an idle connection with unsolicited data; otherwise the data counts for the next response",
      arguments: [false, true])
    func unsolicitedData(isChecked: Bool) throws {
      let origin = try RawOrigin { _ in [.send("answer"), .take, .send("more"), .hold] }
      defer { origin.stop() }
      let descriptor = try connect(to: origin.port, from: 0)
      defer { close(descriptor) }
      let sockets = CurlSockets(
        CurlWatchdog(Timeline()), ConnectionQueues(CurlTransport.Configuration(), capacity: 10))
      let users = try (0..<2).map { _ in
        let user = try #require(
          CurlEasy(CurlTransport.Configuration(), AddressResolution(), Timeline(), NextDeadline(), sockets))
        let exchange = CurlExchange(TransportRequest(url: origin.url("/")), deadline: .zero)
        try #require(user.prepare(RedirectPolicy.Hop(url: origin.url("/"), headers: [:]), for: exchange))
        return user
      }
      let endpoints = CurlSockets.Endpoints(
        local: .init(ip: "127.0.0.1", port: Int32(try localPort(of: descriptor))),
        remote: .init(ip: "127.0.0.1", port: Int32(origin.port)))
      users[0].attempt.openedSockets = [descriptor]
      #expect(users[0].noteRequestSent(between: endpoints))
      let connection = try #require(users[0].connection)
      receive(6, from: descriptor)
      #expect(sockets.makeIdle(connection, by: users[0]))
      sockets.breakStaleConnections(at: .zero)
      try #require(unsafe send(descriptor, "?", 1, 0) == 1)
      receive(4, from: descriptor, peeking: true)
      if isChecked { sockets.breakStaleConnections(at: .zero) }
      #expect(unsafe (send(descriptor, "?", 1, Int32(MSG_NOSIGNAL)) == 1) != isChecked)
      if isChecked { return }
      #expect(users[1].noteRequestSent(between: endpoints))
      #expect(users[1].receivedBefore == 6 && connection.received == 10)
    }

    @Test("an encrypted connection that was never used is broken after ten seconds")
    func unusedLifetime() throws {
      let origin = try RawOrigin { _ in [.hold] }
      defer { origin.stop() }
      let descriptor = try connect(to: origin.port, from: 0)
      defer { close(descriptor) }
      let sockets = CurlSockets(
        CurlWatchdog(Timeline()), ConnectionQueues(CurlTransport.Configuration(), capacity: 10))
      let user = try #require(
        CurlEasy(CurlTransport.Configuration(), AddressResolution(), Timeline(), NextDeadline(), sockets))
      let url = origin.url("/", scheme: "https")
      let exchange = CurlExchange(TransportRequest(url: url), deadline: .zero)
      try #require(user.prepare(RedirectPolicy.Hop(url: url, headers: [:]), for: exchange))
      let endpoints = CurlSockets.Endpoints(
        local: .init(ip: "127.0.0.1", port: Int32(try localPort(of: descriptor))),
        remote: .init(ip: "127.0.0.1", port: Int32(origin.port)))
      let connection = try #require(sockets.use(endpoints, by: user, among: [descriptor]).connection)
      #expect(!sockets.hasFree(url.authority))
      #expect(sockets.makeUnused(connection, by: user, at: .seconds(1)))
      #expect(sockets.hasFree(url.authority) && url.authority == "https://127.0.0.1:\(origin.port)")
      for (time, isBroken) in [(11, false), (12, true)] {
        sockets.breakStaleConnections(at: .seconds(time))
        #expect(unsafe (cellophane_curl_any_readable([descriptor], 1) != 0) == isBroken)
      }
    }
  }
#endif
