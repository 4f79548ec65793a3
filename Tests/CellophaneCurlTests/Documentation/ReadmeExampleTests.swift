internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

// README example begins
let images = ImageLoader(directory: "/var/cache/gallery")

/// A reusable cell. It never shows the image of an earlier row.
@MainActor final class ThumbnailCell {
  private let slot: Slot<ImageDecoder>

  init(draw: @escaping (SlotState<Image>) -> Void) {
    slot = Slot(images, display: draw)
  }

  func show(_ url: String) throws(LoadError) {
    slot.show(try ImageRequest(url, size: PixelSize(width: 96, height: 96), priority: .visible))
  }

  func prepareForReuse() { slot.show(nil) }
}

/// Loads one thumbnail, for a server or a script.
func thumbnail(_ url: String) async throws(LoadError) -> Image {
  try await images.load(ImageRequest(url, size: PixelSize(width: 96, height: 96))).value
}
// README example ends

@Suite("The README's example", .timeLimit(.minutes(1)))
struct ReadmeExampleTests {
  @Test func `the README contains the example`() throws {
    let testFile = URL(filePath: #filePath)
    let readme = testFile.appending(path: "../../../../README.md").standardized
    let source = try String(contentsOf: testFile, encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex(of: "// README example begins"))
    let end = try #require(lines.firstIndex(of: "// README example ends"))
    let example = lines[(begin + 1)..<end].joined(separator: "\n")
    #expect(example.split(separator: "\n").count > 15)
    let blocks = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```")
    #expect(
      blocks.contains { $0.hasPrefix("swift\n") && $0.contains(example) },
      "README.md has no ```swift block with the example of ReadmeExampleTests.swift")
  }

  @Test @MainActor func `the example shows a thumbnail`() async throws {
    let original = try Image(width: 240, height: 120, pixels: [UInt8](repeating: 255, count: 240 * 120 * 4))
    let body = try original.encoded(as: .png)
    let origin = try TestOrigin { request in
      // The example's cache is a real directory. `no-store` keeps the test from writing there.
      let headers: HeaderFields = ["cache-control": "no-store"]
      return request.path == "/a.png"
        ? OriginResponse(headers: headers, body: body) : OriginResponse(status: 404, headers: headers)
    }
    let (states, drawn) = AsyncStream.makeStream(of: SlotState<Image>.self)
    let cell = ThumbnailCell { drawn.yield($0) }
    try cell.show(origin.url("/b.png"))
    try cell.show(origin.url("/a.png"))
    for await state in states {
      if case .failed(let error, _) = state { Issue.record(error) }
      guard case .shown(let image, _) = state else { continue }
      #expect(image.width == 96 && image.height == 48)
      break
    }
    cell.prepareForReuse()
    let shown = try await thumbnail(origin.url("/a.png"))
    #expect(shown.width == 96 && shown.height == 48)
    await #expect(throws: LoadError.self) { try await thumbnail(origin.url("/c.png")) }
  }
}
