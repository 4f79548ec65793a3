internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneCurl

@Suite(.timeLimit(.minutes(1))) struct RedirectTests {
  private let transport = CurlTransport()

  @Test func `a chain of redirects is followed to its end`() async throws {
    let origin = try TestOrigin { request in
      switch request.path {
      case "/1": .redirect(to: "/dir/2?x=1", status: 301)
      case "/dir/2": .redirect(to: "3#fragment", status: 308)
      default: OriginResponse(body: Array(request.target.utf8))
      }
    }
    defer { origin.stop() }
    let request = TransportRequest(url: origin.url("/1"))
    let response = try await transport.exchange(request)
    #expect(response.url == origin.url("/dir/3"))
    #expect(response.body == Array("/dir/3".utf8))
    #expect(request.body.count == response.body.count)
    #expect(origin.counters.connections == 1)
  }

  @Test func `a redirect loop ends with an error`() async throws {
    let origin = try TestOrigin { _ in .redirect(to: "/") }
    defer { origin.stop() }
    let error = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: origin.url("/")))
    }
    #expect(error?.kind == .redirects)
    #expect(origin.counters.requests == 21)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "data:,x"])
  func `a redirect to another scheme is refused`(target: String) async throws {
    let origin = try TestOrigin { _ in .redirect(to: target) }
    defer { origin.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.allowsFiles = true
    let transport = CurlTransport(configuration)
    let error = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: origin.url("/")))
    }
    #expect(error?.kind == .refused)
    await transport.close()
  }

  @Test func `credentials do not reach another origin and stay removed on the way back`() async throws {
    let describe: @Sendable (OriginRequest) -> String = { request in
      [request.headers["authorization"], request.headers["cookie"], request.headers["x-kept"]]
        .map { $0 ?? "-" }.joined(separator: " ")
    }
    let second = try TestOrigin { request in
      .redirect(
        to: "http://127.0.0.1:\(request.query ?? "")/end?\(describe(request).filter { $0 == "-" }.count)")
    }
    defer { second.stop() }
    let first = try TestOrigin { request in
      switch request.path {
      case "/end": OriginResponse(body: Array("\(describe(request)) \(request.query ?? "")".utf8))
      case "/same": .redirect(to: "/end")
      default: .redirect(to: second.url("/?\(request.query ?? "")"))
      }
    }
    defer { first.stop() }
    let headers: HeaderFields = ["Authorization": "Bearer 1", "Cookie": "a=b", "X-Kept": "yes"]
    let same = try await transport.exchange(TransportRequest(url: first.url("/same"), headers: headers))
    #expect(same.body == Array("Bearer 1 a=b yes ".utf8))
    let other = try await transport.exchange(
      TransportRequest(url: first.url("/other?\(first.port)"), headers: headers))
    #expect(other.body == Array("- - yes 2".utf8))
  }

  @Test func `a Host header is not sent to another origin`() async throws {
    let second = try TestOrigin { request in OriginResponse(body: Array((request.headers["host"] ?? "").utf8))
    }
    defer { second.stop() }
    let first = try TestOrigin { request in
      request.headers["host"] == "internal.example" && request.path == "/same"
        ? .redirect(to: "/on") : .redirect(to: second.url("/\(request.headers["host"] ?? "")"))
    }
    defer { first.stop() }
    let response = try await transport.exchange(
      TransportRequest(url: first.url("/same"), headers: ["Host": "internal.example"]))
    #expect(response.url == second.url("/internal.example"))
    #expect(response.body == Array("127.0.0.1:\(second.port)".utf8))
  }

  /// The rest of a large body is not even read.
  @Test(arguments: [1000, 2 << 20])
  func `the body of a redirect is discarded`(size: Int) async throws {
    let page = [UInt8](repeating: 1, count: size)
    let origin = try TestOrigin { request in
      if request.path == "/end" { return OriginResponse(body: [5]) }
      var response = OriginResponse.redirect(to: "/end")
      response.body = page
      return response
    }
    defer { origin.stop() }
    var limits = TransferLimits()
    limits.bodyBytes = 10
    let request = TransportRequest(url: origin.url("/"), limits: limits)
    #expect(try await transport.exchange(request).body == [5])
    #expect(request.body.count == 1)
    #expect(origin.counters.connections == (size > 64 << 10 ? 2 : 1))
  }

  @Test func `the total deadline includes all redirects`() async throws {
    let origin = try TestOrigin { request in
      var response = OriginResponse.redirect(to: "/\(request.sequence)")
      response.delay = .milliseconds(25)
      return response
    }
    defer { origin.stop() }
    var limits = TransferLimits()
    limits.total = .milliseconds(60)
    let request = TransportRequest(url: origin.url("/"), limits: limits)
    let error = await #expect(throws: LoadError.self) { try await transport.exchange(request) }
    #expect(error?.kind == .timeout)
    #expect(origin.counters.requests <= 3)
  }
}
