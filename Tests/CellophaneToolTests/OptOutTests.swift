internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@Suite("Opt-outs of owners", .timeLimit(.minutes(2)))
struct OptOutTests {
  /// The value of X-Robots-Tag of each path.
  private static let tags = [
    "/free": nil, "/other": "googlebot: noindex", "/noai": "noai", "/own": "cellophane: noimageindex",
    "/agent": "robot: noindex",
  ]

  private func origin(isSlow: Bool = false) throws -> TestOrigin {
    var random = SplitMix64(seed: 1)
    let noise = (0..<64 * 64 * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    let body = try Image(width: 64, height: 64, pixels: noise).encoded(as: .png)
    return try TestOrigin { request in
      var headers: HeaderFields = ["cache-control": "max-age=1000"]
      if let tag = Self.tags[request.path] ?? nil { headers.append("x-robots-tag", tag) }
      var response = OriginResponse(headers: headers, body: body)
      if isSlow || request.path == "/slow" { response.pace = .init(bytes: 100, every: .seconds(1)) }
      return response
    }
  }

  private func outcomes(_ room: Room, _ arguments: String...) async throws -> (exit: Int32, [String: String])
  {
    let ended = try await room.run(["prefetch", "list", "--jsonl", "-", "--quiet"] + arguments)
    let results = try objects(lines: ended.output).map { result in
      (
        (result["url"] as? String)?.split(separator: "/").last.map(String.init) ?? "",
        result["outcome"] as? String ?? ""
      )
    }
    return (ended.exit, Dictionary(uniqueKeysWithValues: results))
  }

  @Test("images that are written are left out, from the origin and from the cache, unless asked for")
  func written() async throws {
    let room = try Room()
    let origin = try origin()
    try room.write(lines: Self.tags.keys.sorted().map { origin.url($0) }, as: "list")
    let expected = [
      "free": "fetched", "other": "fetched", "noai": "opted-out", "own": "opted-out", "agent": "fetched",
    ]
    var (exit, found) = try await outcomes(room, "-o", "out", "--names", "{name}", "--no-cache")
    #expect(exit == 0 && found == expected)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: room.path("out")).filter {
        $0.hasSuffix(".png")
      }.sorted()
        == ["agent.png", "free.png", "other.png"])
    (_, found) = try await outcomes(room, "-o", "out2", "--no-cache", "-A", "Robot/2.0 (test)")
    #expect(found["agent"] == "opted-out" && found["own"] == "fetched")
    // Without --output nothing is written, and the cache keeps everything.
    (_, found) = try await outcomes(room)
    #expect(Set(found.values) == ["fetched"])
    (exit, found) = try await outcomes(room, "-o", "out3")
    #expect(exit == 0 && found["noai"] == "opted-out" && found["free"] == "fresh")
    (exit, found) = try await outcomes(room, "-o", "out4", "--ignore-opt-out")
    #expect(exit == 0 && Set(found.values) == ["fresh"])
  }

  @Test("the header decides before the body is loaded")
  func early() async throws {
    let room = try Room()
    let origin = try origin(isSlow: true)
    try room.write(lines: [origin.url("/noai"), origin.url("/slow"), origin.url("/noai")], as: "list")
    // The bodies of these paths take minutes.
    let ended = try await room.run(
      "prefetch", "list", "-o", "out", "--timeout", "2s", "--no-cache", "--json", "-j", "1")
    let json = try ended.json()
    #expect(json["optedOut"] as? Int == 2 && json["failed"] as? Int == 1, "\(ended)")
    #expect(json["failures"] as? [String: Int] == ["timeout": 1])
    #expect(origin.requestsByTarget["/noai"] == 1)
    try room.write(lines: [origin.url("/noai")], as: "list")
    let text = try await room.run("prefetch", "list", "-o", "out2", "--no-cache")
    #expect(text.text.contains("opted out") && !text.errors.contains("forbids"), "\(text)")
  }
}
