internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@testable internal import Cellophane

@Suite(.timeLimit(.minutes(1))) struct RedirectTests {
  private let transport = CurlTransport()

  @Test func redirectsAreFollowedToTheirEnd() async throws {
    let origin = try TestOrigin { asked in
      switch asked.path {
      case "/1": .redirect(to: "/dir/2?x=1", status: 301)
      case "/dir/2": .redirect(to: "3#fragment", status: 308)
      default: OriginResponse(body: Array(asked.target.utf8))
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

  @Test func circlesEnd() async throws {
    let origin = try TestOrigin { _ in .redirect(to: "/") }
    defer { origin.stop() }
    let error = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: origin.url("/")))
    }
    #expect(error?.kind == .redirects)
    #expect(origin.counters.requests == 21)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "data:,x"])
  func otherSchemesAreRefused(target: String) async throws {
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

  @Test func credentialsDoNotReachAnotherOriginAndDoNotComeBack() async throws {
    let describe: @Sendable (OriginRequest) -> String = { asked in
      [asked.headers["authorization"], asked.headers["cookie"], asked.headers["x-kept"]]
        .map { $0 ?? "-" }.joined(separator: " ")
    }
    let second = try TestOrigin { asked in
      .redirect(to: "http://127.0.0.1:\(asked.query ?? "")/end?\(describe(asked).filter { $0 == "-" }.count)")
    }
    defer { second.stop() }
    let first = try TestOrigin { asked in
      switch asked.path {
      case "/end": OriginResponse(body: Array("\(describe(asked)) \(asked.query ?? "")".utf8))
      case "/same": .redirect(to: "/end")
      default: .redirect(to: second.url("/?\(asked.query ?? "")"))
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

  @Test func anotherOriginIsAskedUnderItsOwnName() async throws {
    let second = try TestOrigin { asked in OriginResponse(body: Array((asked.headers["host"] ?? "").utf8)) }
    defer { second.stop() }
    let first = try TestOrigin { asked in
      asked.headers["host"] == "internal.example" && asked.path == "/same"
        ? .redirect(to: "/on") : .redirect(to: second.url("/\(asked.headers["host"] ?? "")"))
    }
    defer { first.stop() }
    let response = try await transport.exchange(
      TransportRequest(url: first.url("/same"), headers: ["Host": "internal.example"]))
    #expect(response.url == second.url("/internal.example"))
    #expect(response.body == Array("127.0.0.1:\(second.port)".utf8))
  }

  /// A redirect's own page is no body of ours: it counts to no limit but its own.
  @Test(arguments: [(1000, nil), (2 << 20, .bodyTooLarge)] as [(Int, LoadError.Kind?)])
  func bodiesOfRedirectsAreDropped(size: Int, kind: LoadError.Kind?) async throws {
    let page = [UInt8](repeating: 1, count: size)
    let origin = try TestOrigin { asked in
      if asked.path == "/end" { return OriginResponse(body: [5]) }
      var answer = OriginResponse.redirect(to: "/end")
      answer.body = page
      return answer
    }
    defer { origin.stop() }
    var limits = TransferLimits()
    limits.bodyBytes = 10
    let request = TransportRequest(url: origin.url("/"), limits: limits)
    do {
      #expect(try await transport.exchange(request).body == [5])
      #expect(kind == nil)
      #expect(request.body.count == 1)
    } catch {
      #expect(error.kind == kind)
      #expect(request.body.count == 0)
    }
  }

  @Test func theDeadlineCoversTheWholeChain() async throws {
    let origin = try TestOrigin { asked in
      var answer = OriginResponse.redirect(to: "/\(asked.sequence)")
      answer.delay = .milliseconds(25)
      return answer
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
