@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Ignored request headers")
struct IgnoredHeadersTests {
  /// Creates a loader that ignores `names`. The origin answers with the number of the request after a second.
  private func world(ignoring names: Set<String>, _ headers: HeaderFields = [:]) -> LoaderWorld {
    let world = LoaderWorld { $0.ignoredHeaders = names }
    let count = Shared(0)
    world.origin.script("*") { _ in
      count.update { $0 += 1 }
      var fields: HeaderFields = ["cache-control": "max-age=600"]
      fields.append(headers)
      return .ok("\(count.value)", fields).after(.seconds(1))
    }
    return world
  }

  private func load(_ world: LoaderWorld, _ headers: HeaderFields) -> String? {
    world.time.run { await world.restarted().load("http://origin/a", headers, .standard) }
  }

  @Test(
    "requests that differ only in ignored fields share a response, and these fields are sent",
    arguments: [
      (["traceparent"], "Traceparent", true), (["X-Request-Id"], "x-request-id", true),
      (["x-b3-traceid", "x-id"], "X-Id", true), (["accept-language"], "accept-language", true),
      (["referer"], "Referer", true), (["user-agent"], "user-agent", true), (["accept"], "accept", true),
      (["x"], "y", false), ([], "x", false),
      // These select the response, whatever the rules are.
      (["authorization"], "authorization", false), (["cookie"], "cookie", false),
      (["x-api-key"], "x-api-key", false),
      (["if-none-match"], "if-none-match", false),
    ] as [(Set<String>, String, Bool)])
  func shared(names: Set<String>, name: String, isShared: Bool) {
    let world = world(ignoring: names)
    #expect(load(world, [name: "http://h/1"]) == "1 network")
    #expect(load(world, [name: "http://h/2"]) == (isShared ? "1 disk" : "2 network"))
    #expect(world.origin.requests.first?.headers[name] == "http://h/1")
  }

  @Test(
    "Vary counts on disk, also for ignored fields",
    arguments: [
      ("x", false), ("X, y", false), ("y", true), ("accept-encoding", true), ("*", false),
    ])
  func vary(value: String, isShared: Bool) {
    let world = world(ignoring: ["x"], ["vary": value])
    #expect(load(world, ["x": "1"]) == "1 network")
    #expect(load(world, ["x": "2"]) == (isShared ? "1 disk" : "2 network"))
    if !isShared, value != "*" { #expect(load(world, ["x": "1"]) == "1 disk") }
  }

  @Test("concurrent loads that differ only in ignored fields share one transfer")
  func coalesced() throws {
    let world = world(ignoring: ["x"])
    let requests = try (1...4).map { try Request("http://origin/a", headers: ["x": "\($0)"], options: 0) }
    let loaded = world.time.run {
      async let one = world.bytes.load(requests[0])
      async let two = world.bytes.load(requests[1])
      async let three = world.bytes.load(requests[2].decoded(with: "other"))
      return [try? await one.bytes, try? await two.bytes, try? await three.bytes]
    }
    #expect(loaded == [Array("1".utf8), Array("1".utf8), Array("1".utf8)])
    #expect(world.origin.requests.count == 1)
  }

  @Test("ignored fields are sent to the target of a redirect")
  func redirected() {
    let world = world(ignoring: ["x"])
    world.origin.script(
      "http://origin/a", .status(302, ["cache-control": "max-age=60", "location": "http://origin/b"]))
    #expect(load(world, ["x": "1"]) == "1 network" && load(world, ["x": "2"]) == "1 disk")
    #expect(world.origin.requests.map { $0.headers["x"] } == ["1", "1"])
  }
}
