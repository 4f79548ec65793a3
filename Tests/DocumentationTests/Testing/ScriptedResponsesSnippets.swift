internal import Cellophane
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneTesting/CellophaneTesting.docc/ScriptedResponses.md.

@Suite("Scripted responses")
struct ScriptedResponsesSnippets {
  @Test func scripts() {
    let world = LoaderWorld()
    world.origin.script("http://h/a", .status(503), .ok("one"))
    let text = world.time.run { await world.load("http://h/a") }
    #expect(text == "one network")
    #expect(world.origin.requests.count == 2)
  }

  @Test func failuresAreRetried() {
    let world = LoaderWorld()
    let fresh: HeaderFields = ["cache-control": "max-age=60"]
    world.origin.script("http://h/*", .ok("an image", fresh).after(.milliseconds(80)))
    world.origin.script("http://h/missing", .status(404))
    world.origin.script("http://h/offline", .failure(.connect))
    world.origin.script("http://h/moved", .redirect(to: "http://h/1"))

    let texts = world.time.run {
      [
        await world.load("http://h/moved"), await world.load("http://h/1"),
        await world.load("http://h/missing"),
        await world.load("http://h/offline"),
      ]
    }

    #expect(texts == ["an image network", "an image disk", "404", "connect"])
    // A 404 is final. A failed connection is tried three times.
    #expect(world.origin.requests.map(\.url).count { $0 == "http://h/missing" } == 1)
    #expect(world.origin.requests.map(\.url).count { $0 == "http://h/offline" } == 3)
    #expect(world.origin.counters.duplicates == 0)
  }

  @Test func staleResponseIsValidated() {
    let world = LoaderWorld()
    let headers: HeaderFields = ["cache-control": "max-age=60", "etag": "\"1\""]
    world.origin.script("http://h/a", .ok("one", headers).obeyingConditions())
    let first = world.time.run { await world.load("http://h/a") }
    world.advance(.seconds(61))
    let second = world.time.run { await world.load("http://h/a") }

    #expect([first, second] == ["one network", "one disk"])
    #expect(world.origin.requests.map { "\($0)" } == ["http://h/a", "http://h/a if-none-match: \"1\""])
  }

  @Test func brokenBody() {
    let world = LoaderWorld()
    let photo = ScriptedTransport.Answer.status(
      200, ["etag": "\"1\"", "accept-ranges": "bytes"], body: [UInt8](repeating: 7, count: 1_000)
    )
    .after(.milliseconds(100)).inPieces(of: 400, every: .milliseconds(50)).obeyingConditions()
    world.origin.script("http://h/photo", photo.broken(after: 800), photo)

    let loaded = world.time.run {
      try? await world.bytes.load(Request("http://h/photo", options: NoOptions()))
    }

    #expect(loaded??.bytes.count == 1_000)
    // The second request asks for the rest.
    #expect(world.origin.requests.map { $0.headers["range"] } == [nil, "bytes=800-"])
  }

  @Test func outage() {
    let world = LoaderWorld()
    let timeline = world.timeline
    world.origin.script("http://h/*") { request in
      timeline.now < .seconds(30) ? .failure(.connect) : .ok()
    }
    let before = world.time.run { await world.load("http://h/a") }
    world.advance(.seconds(60))
    let after = world.time.run { await world.load("http://h/a") }

    #expect([before, after] == ["connect", "http://h/a network"])
  }

  @Test func restart() {
    let world = LoaderWorld()
    world.origin.script("http://h/a", .ok("one", ["cache-control": "max-age=600"]))
    let first = world.time.run {
      let text = await world.load("http://h/a")
      await world.bytes.settle()
      return text
    }
    let next = world.restarted()
    let second = next.time.run { await next.load("http://h/a") }

    #expect([first, second] == ["one network", "one disk"])
  }
}
