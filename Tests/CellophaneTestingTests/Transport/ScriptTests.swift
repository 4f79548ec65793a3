internal import Cellophane
internal import CellophaneTesting
internal import Testing

@Suite("Scripts of an origin")
struct ScriptTests {
  private let time = VirtualTime()
  private let origin: ScriptedTransport

  init() { origin = ScriptedTransport(timeline: time.timeline()) }

  /// Requests `url`. Returns the status, or the kind of the error, and the body.
  private func answer(_ url: String, _ headers: HeaderFields = [:]) -> String? {
    time.run {
      do throws(LoadError) {
        let response = try await origin.exchange(TransportRequest(url: url, headers: headers))
        return "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
      } catch { return error.kind.rawValue }
    }
  }

  @Test("the n-th request gets the n-th answer, and all further ones the last")
  func order() {
    origin.script("http://h/a", .status(503), .ok("one"), .ok())
    let answers = (0..<4).map { _ in answer("http://h/a") }
    #expect(answers == ["503 ", "200 one", "200 http://h/a", "200 http://h/a"])
    #expect(answer("http://h/b") == "connect")
    // A new script starts over.
    origin.script("http://h/a", .failure(.dns), .ok("two"))
    #expect([answer("http://h/a"), answer("http://h/a")] == ["dns", "200 two"])
  }

  @Test("the longest script that matches applies, with a count for each URL")
  func beginnings() {
    origin.script("*", .status(404))
    origin.script("http://h/*", .status(503), .ok("h"))
    origin.script("http://h/deep/*") { request in .ok("deep", request.headers) }
    origin.script("http://h/a", .ok("a"))
    #expect(
      ["http://i/", "http://h/a", "http://h/deep/1"].map { answer($0) } == ["404 ", "200 a", "200 deep"])
    let urls = ["http://h/1", "http://h/2", "http://h/1", "http://h/2", "http://h/1"]
    #expect(urls.map { answer($0) } == ["503 ", "503 ", "200 h", "200 h", "200 h"])
    origin.script("http://h/*", .ok("new"), .ok("newer"))
    #expect(
      [answer("http://h/1"), answer("http://h/1"), answer("http://h/a")] == ["200 new", "200 newer", "200 a"])
  }

  @Test("a new script of a beginning leaves the position in scripts of longer beginnings and of single URLs")
  func positions() {
    origin.script("http://h/deep/*", .ok("1"), .ok("2"))
    origin.script("http://h/a", .ok("1"), .ok("2"))
    let urls = ["http://h/deep/x", "http://h/a"]
    #expect(urls.map { answer($0) } == ["200 1", "200 1"])
    origin.script("http://h/*", .status(404))
    #expect(urls.map { answer($0) } == ["200 2", "200 2"])
    origin.script("http://h/deep/*", .ok("3"), .ok("4"))
    #expect(urls.map { answer($0) } == ["200 3", "200 2"])
  }

  @Test("an answer that obeys conditions is that of a file server")
  func conditions() {
    let headers: HeaderFields = ["etag": "\"1\"", "last-modified": "Mon, 11 Jan 2027 08:00:00 GMT"]
    origin.script("http://h/a", .ok("0123456789", headers).obeyingConditions())
    let requests: [(HeaderFields, String)] = [
      ([:], "200 0123456789"), (["if-none-match": "\"1\""], "304 "),
      (["if-none-match": "\"2\"", "if-modified-since": "Mon, 11 Jan 2027 08:00:00 GMT"], "200 0123456789"),
      (["if-modified-since": "Mon, 11 Jan 2027 08:00:00 GMT"], "304 "), (["range": "bytes=4-"], "206 456789"),
      (["range": "bytes=4-", "if-range": "\"1\""], "206 456789"),
      (["range": "bytes=4-", "if-range": "\"2\""], "200 0123456789"),
      (["range": "bytes=10-"], "200 0123456789"),
    ]
    for (fields, expected) in requests { #expect(answer("http://h/a", fields) == expected, "\(fields)") }
    origin.script("http://h/a", .ok("0123456789", headers))
    #expect(answer("http://h/a", ["if-none-match": "\"1\""]) == "200 0123456789")
  }

  @Test("a request is recorded with its URL, header fields and time")
  func requests() {
    origin.script("*", .ok().after(.seconds(2)))
    _ = answer("http://h/a")
    _ = answer("http://h/b", ["Accept": "image/*"])
    #expect(origin.requests.map(\.description) == ["http://h/a", "http://h/b accept: image/*"])
    #expect(origin.requests.map(\.time) == [.zero, .seconds(2)])
  }

  @Test("pieces arrive one after the other, and a body breaks after the given bytes")
  func pieces() {
    let paced = ScriptedTransport.Answer.ok("0123456789").inPieces(of: 4, every: .seconds(1))
    origin.script("http://h/a", paced, paced.broken(after: 6), .ok("0123456789").broken(after: 6))
    let results = (0..<3).map { _ in (answer("http://h/a"), time.now.nanoseconds / 1_000_000_000) }
    #expect(results.map(\.0) == ["200 0123456789", "connection-lost", "connection-lost"])
    #expect(results.map(\.1) == [3, 5, 5])
  }
}
