internal import Cellophane
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneTesting/CellophaneTesting.docc/ScriptedResponses.md.

/// An origin with one missing URL and one unreachable URL. All other URLs are images of a kilobyte.
private func gallery(on timeline: Timeline) -> ScriptedTransport {
  ScriptedTransport(timeline: timeline) { request in
    switch request.url {
    case "http://example.com/missing":
      .init(.success(TransportResponse(status: 404, url: request.url)))
    case "http://example.com/offline":
      .init(
        after: .milliseconds(20), .failure(LoadError(.connect, "no route to the host", isRetryable: true)))
    default:
      .init(
        after: .milliseconds(80),
        .success(
          TransportResponse(
            status: 200, headers: ["cache-control": "max-age=60"], body: [UInt8](repeating: 7, count: 1_000),
            url: request.url)))
    }
  }
}

@Suite("Scripted responses")
struct ScriptedResponsesSnippets {
  /// The kind of error with which the load of `url` ends; nil when it succeeds.
  private func failure(_ url: String, from loader: ByteLoader) async -> LoadError.Kind? {
    do throws(LoadError) {
      _ = try await loader.load(Request(url, options: NoOptions()))
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func failuresAreRetried() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = gallery(on: timeline)
    let loader = ByteLoader(transport: transport, timeline: timeline)

    let kinds = time.run {
      [
        await failure("http://example.com/1", from: loader),
        await failure("http://example.com/missing", from: loader),
        await failure("http://example.com/offline", from: loader),
      ]
    }

    #expect(kinds == [nil, .status, .connect])
    // A 404 is final. A failed connection is tried three times.
    #expect(transport.order.filter { $0.hasSuffix("missing") }.count == 1)
    #expect(transport.order.filter { $0.hasSuffix("offline") }.count == 3)
    #expect(transport.counters.duplicates == 0)
  }

  @Test func brokenBody() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      ScriptedTransport.Answer(
        after: .milliseconds(100),
        pieces: [.init(400, pause: .milliseconds(50)), .init(400, pause: .milliseconds(50))],
        .success(TransportResponse(status: 200, body: [UInt8](repeating: 7, count: 1_000), url: request.url)),
        breaking: LoadError(.connectionLost, "the connection was reset", isRetryable: true))
    }
    let loader = ByteLoader(transport: transport, timeline: timeline)

    let kind = time.run { await failure("http://example.com/1", from: loader) }

    #expect(kind == .connectionLost)
  }
}
