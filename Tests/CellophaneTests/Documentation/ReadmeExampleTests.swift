internal import Cellophane
internal import CellophaneTesting
internal import Foundation
internal import Testing

// README example begins
let bytes = ByteLoader(transport: CurlTransport(), disk: DiskCache(directory: "/var/cache/gallery"))
let images = ImageLoader(bytes: bytes, decoder: ImageDecoder())

/// A cell that is reused for other rows while its pictures are still on their way.
@MainActor final class ThumbnailCell {
  private let slot: Slot<ImageDecoder>

  init(draw: @escaping (SlotState<Image>) -> Void) {
    slot = Slot(images, display: draw)
  }

  func show(_ url: String?) throws {
    slot.show(
      try url.map { try ImageRequest($0, size: PixelSize(width: 96, height: 96), priority: .visible) })
  }
}

/// The same picture without a cell, for a server or a script.
func thumbnail(_ url: String) async -> Image? {
  do throws(LoadError) {
    return try await images.load(ImageRequest(url, size: PixelSize(width: 96, height: 96))).value
  } catch {
    print(error, error.isRetryable ? "(worth another try)" : "")
    return nil
  }
}
// README example ends

@Suite("The README's example", .timeLimit(.minutes(1)))
struct ReadmeExampleTests {
  @Test func standsInTheReadme() throws {
    let this = URL(filePath: #filePath)
    let readme = this.appending(path: "../../../../README.md").standardized
    let source = try String(contentsOf: this, encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex(of: "// README example begins"))
    let end = try #require(lines.firstIndex(of: "// README example ends"))
    let example = lines[(begin + 1)..<end].joined(separator: "\n")
    #expect(example.split(separator: "\n").count > 15)
    let blocks = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```")
    #expect(
      blocks.contains { $0.hasPrefix("swift\n") && $0.contains(example) },
      "no ```swift block of README.md holds the example of ReadmeExampleTests.swift")
  }

  @Test @MainActor func doesWhatItSays() async throws {
    let picture = try Image(width: 240, height: 120, pixels: [UInt8](repeating: 255, count: 240 * 120 * 4))
    let body = try picture.encoded(as: .png)
    let origin = try TestOrigin { asked in
      // The example's cache is a real directory, in which a test writes nothing.
      let headers: HeaderFields = ["cache-control": "no-store"]
      return asked.path == "/a.png"
        ? OriginResponse(headers: headers, body: body) : OriginResponse(status: 404, headers: headers)
    }
    let (states, drawn) = AsyncStream.makeStream(of: SlotState<Image>.self)
    let cell = ThumbnailCell { drawn.yield($0) }
    try cell.show(origin.url("/b.png"))
    try cell.show(origin.url("/a.png"))
    for await state in states {
      if case .failed(let error) = state { Issue.record(error) }
      guard case .shown(let image, _) = state else { continue }
      #expect(image.width == 96 && image.height == 48)
      break
    }
    try cell.show(nil)
    let shown = await thumbnail(origin.url("/a.png"))
    #expect(shown?.width == 96 && shown?.height == 48)
    #expect(await thumbnail(origin.url("/c.png")) == nil)
  }
}
