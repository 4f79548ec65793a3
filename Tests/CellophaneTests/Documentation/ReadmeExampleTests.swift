internal import Cellophane
internal import CellophaneTesting
internal import Foundation
internal import Testing

// README example begins
func makeImages(cache directory: String) -> ImageLoader {
  let bytes = ByteLoader(transport: CurlTransport(), disk: DiskCache(directory: directory))
  return ImageLoader(bytes: bytes, decoder: ImageDecoder())
}

/// A cell of a list, bound to another row whenever it is reused.
@MainActor final class Cell {
  private let slot: Slot<ImageDecoder>

  init(_ images: ImageLoader, draw: @escaping (SlotState<Image>) -> Void) {
    slot = Slot(images, display: draw)
  }

  /// Cancels what the cell loaded before; its late answers are never drawn.
  func show(_ url: String) throws(LoadError) {
    slot.show(try Request(url, size: PixelSize(width: 120, height: 120), priority: .visible))
  }
}

func poster(_ url: String, from images: ImageLoader) async -> Image? {
  do throws(LoadError) {
    return try await images.load(Request(url)).value
  } catch {
    print(error.message, error.isRetryable ? "Try again later." : "")
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
    let origin = try TestOrigin {
      $0.path == "/a.png" ? OriginResponse(body: body) : OriginResponse(status: 404)
    }
    let directory = NSTemporaryDirectory() + "cellophane-readme-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let images = makeImages(cache: directory)
    let (states, drawn) = AsyncStream.makeStream(of: SlotState<Image>.self)
    let cell = Cell(images) { drawn.yield($0) }
    try cell.show(origin.url("/b.png"))
    try cell.show(origin.url("/a.png"))
    for await state in states {
      if case .failed(let error) = state { Issue.record(error) }
      guard case .shown(let image, _) = state else { continue }
      #expect(image.width == 120 && image.height == 60)
      break
    }
    #expect(await poster(origin.url("/a.png"), from: images) == picture)
    #expect(await poster(origin.url("/c.png"), from: images) == nil)
  }
}
