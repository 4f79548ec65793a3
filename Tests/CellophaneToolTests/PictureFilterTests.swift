internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@Suite("Filters of sizes", .timeLimit(.minutes(2)))
struct PictureFilterTests {
  /// The sizes of the images by path.
  private static let sizes = [
    "/square": PixelSize(width: 80, height: 80), "/small": PixelSize(width: 90, height: 20),
    "/wide": PixelSize(width: 300, height: 60), "/large": PixelSize(width: 120, height: 100),
  ]

  private func origin(isSlow: Bool = false) throws -> TestOrigin {
    var random = SplitMix64(seed: 1)
    var bodies: [String: [UInt8]] = [:]
    for (path, size) in Self.sizes {
      let pixels = (0..<size.width * size.height * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
      let image = try Image(width: size.width, height: size.height, pixels: pixels)
      bodies[path] = try image.encoded(as: path == "/wide" ? .jpeg() : .png)
    }
    return try TestOrigin { [bodies] request in
      guard let body = bodies[request.path] else { return OriginResponse(status: 404) }
      var response = OriginResponse(headers: ["cache-control": "max-age=1000"], body: body)
      if isSlow { response.pace = .init(bytes: 700, every: .milliseconds(600)) }
      return response
    }
  }

  @Test(
    "an image of another size is left out, from the origin and from the cache",
    arguments: [
      (["--min-size", "60"], ["small"]), (["--min-size", "61"], ["small", "wide"]),
      (["--max-area", "6400"], ["large", "wide"]), (["--max-aspect", "4.5"], ["wide"]),
      (["--max-aspect", "4.4", "--max-area", "11999"], ["large", "small", "wide"]),
      (["--min-size", "1", "--max-area", "18000", "--max-aspect", "5"], []),
    ])
  func sizes(options: [String], expected: [String]) async throws {
    let room = try Room()
    let origin = try origin()
    try room.write(lines: Self.sizes.keys.sorted().map { origin.url($0) }, as: "list")
    for output in ["one", "two"] {
      let ended = try await room.run(
        ["prefetch", "list", "--jsonl", "-", "--quiet", "-o", output, "--names", "{name}"] + options)
      #expect(ended.exit == 0, "\(ended)")
      let filtered = try objects(lines: ended.output).filter { $0["outcome"] as? String == "filtered" }
      #expect(
        filtered.compactMap { ($0["url"] as? String)?.split(separator: "/").last.map(String.init) }.sorted()
          == expected)
      #expect(filtered.allSatisfy { ($0["error"] as? [String: Any])?["kind"] as? String == "refused" })
      let files = (try? FileManager.default.contentsOfDirectory(atPath: room.path(output))) ?? []
      #expect(files.count { $0.hasSuffix("g") } == 4 - expected.count)
      // The second run finds complete bodies in the cache.
      _ = try await room.run("prefetch", "list", "--quiet")
    }
  }

  @Test("the transfer ends after the header of the image")
  func early() async throws {
    let room = try Room()
    let origin = try origin(isSlow: true)
    try room.write(lines: [origin.url("/large"), origin.url("/wide"), origin.url("/square")], as: "list")
    // The bodies take half a minute each.
    let ended = try await room.run(
      "prefetch", "list", "-o", "out", "--timeout", "4s", "--no-cache", "--json", "--max-area", "10000")
    let json = try ended.json()
    #expect(json["filtered"] as? Int == 2 && json["failed"] as? Int == 1, "\(ended)")
    #expect(json["failures"] as? [String: Int] == ["timeout": 1], "\(ended)")
  }
}
