@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Previews of images")
struct ImagePreviewTests {
  /// Files that consist of rows, of passes and of scans.
  private static let fixtures =
    PictureFixture.jpeg.filter { ["4:2:0", "progressive"].contains($0.name) }
    + PictureFixture.png.filter { ["rgb 8", "rgba 8 Adam7"].contains($0.name) }

  @Test("a slow transfer shows partial images, and the complete image at the end", arguments: fixtures)
  func slowTransfer(_ fixture: PictureFixture) throws {
    let count = 40
    let size = (fixture.bytes.count + count - 1) / count
    let world = LoaderWorld(cacheLimit: nil)
    world.origin.script(
      "http://origin/image", .status(200, body: fixture.bytes).inPieces(of: size, every: .milliseconds(50)))
    let loader = ImageLoader(bytes: world.bytes, decoder: ImageDecoder())
    let request = try ImageRequest("http://origin/image")
    let previews = Shared<[Image]>([])
    let value = Shared<Image?>(nil)
    world.timeline.spawn {
      value.value =
        (try? await loader.load(request) { image in previews.update { $0.append(image) } })?.value
    }
    world.time.run()
    let whole = try ImageDecoder().decode(fixture.bytes, options: request.options)
    #expect(value.value == whole)
    #expect(loader.cached(request) == whole)
    let shown = previews.value
    #expect(shown.count > 1, "\(shown.count) previews")
    #expect(shown.allSatisfy { $0.isPartial && $0.width == whole.width && $0.height == whole.height })
    #expect(loader.counters.load.decodes == 1)
  }
}
