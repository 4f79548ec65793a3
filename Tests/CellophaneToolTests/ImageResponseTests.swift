internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@Suite("images from origins", .timeLimit(.minutes(5)))
struct ImageResponseTests {
  @Test("an origin that negotiates sends what can be decoded, and bytes keep their variant")
  func negotiation() async throws {
    let jpeg = try testImage(9, 8).encoded(as: .jpeg(quality: 90))
    let origin = try TestOrigin { request in
      // Between them are the types of the formats of package traits.
      let accept = request.headers["accept"] ?? ""
      let isImage = accept.contains("image/jpeg, image/png, ") && accept.hasSuffix(", */*;q=0.1")
      return OriginResponse(
        headers: ["vary": "accept", "cache-control": "max-age=60"], body: isImage ? jpeg : Array("RIFF".utf8))
    }
    let room = try Room()
    for command in ["fetch", "prefetch"] {
      let bytes = try await room.run(command, origin.url("/a"), "--as", "bytes")
      let image = try await room.run(command, origin.url("/a"))
      #expect(bytes.exit == 0 && image.exit == 0, "\(command): \(bytes) \(image)")
    }
    let offline = try await room.run("fetch", origin.url("/a"), "--offline")
    #expect(offline.exit == 0 && offline.text.contains("jpeg 9x8"), "\(offline)")
    let own = try await room.run("fetch", origin.url("/a"), "-H", "Accept: image/webp")
    #expect(own.exit == 1, "\(own)")
  }

  @Test("warnings and the limit of pixels")
  func warningsAndLimit() async throws {
    let png = try testImage(12, 8).encoded(as: .png)
    let origin = try TestOrigin { _ in OriginResponse(body: Array(png.dropLast(12))) }
    let room = try Room()
    let fetched = try await room.run("fetch", origin.url("/a"), "--json")
    #expect(fetched.exit == 0 && fetched.text.contains("missing-end"), "\(fetched)")
    let listed = try await room.run("prefetch", origin.url("/a"), "--jsonl", "-", "--quiet")
    #expect(listed.text.contains(#""warnings":["missing-end"]"#), "\(listed)")
    let sized = try await room.run(
      "fetch", origin.url("/a"), "--size", "6x4", "-o", room.path("small.png"))
    #expect(sized.exit == 0 && sized.text.contains("png 6x4 of 12x8"), "\(sized)")
    for command in ["fetch", "prefetch"] {
      let refused = try await room.run(command, origin.url("/a"), "--max-pixels", "95")
      #expect(refused.exit != 0 && refused.errors.contains("image-too-large"), "\(command): \(refused)")
      #expect(try await room.run(command, origin.url("/a"), "--max-pixels", "96").exit == 0)
      #expect(try await room.run(command, origin.url("/a"), "--max-pixels", "0").exit == 64)
    }
  }
}
