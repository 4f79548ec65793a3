internal import Cellophane
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("Tutorials")
struct TutorialTests {
  private static let folder = "Sources/Cellophane/Cellophane.docc/Tutorials"

  @Test("Every code file of a tutorial is compiled")
  func compiled() throws {
    let steps = try Repository.paths(in: "Tests/DocumentationTests/Tutorial", suffix: ".swift")
      .map { SwiftCode(try Repository.text(of: $0)) }
    let files = try Repository.paths(in: Self.folder, suffix: ".swift")
    for file in files {
      let code = SwiftCode(try Repository.text(of: file))
      #expect(steps.contains { $0.contains(code) }, "\(file) differs from the compiled copy")
    }
    #expect(files.count >= 8)
  }

  @Test("Tutorials show every code file and no other file")
  func references() throws {
    let tutorials = try Repository.paths(in: Self.folder, suffix: ".tutorial").map {
      try Repository.text(of: $0)
    }
    let shown = tutorials.flatMap { $0.matches(of: /file: ?"?([\w-]+\.swift)/).map { String($0.output.1) } }
    let files = try Repository.paths(in: Self.folder, suffix: ".swift")
      .map { URL(filePath: $0).lastPathComponent }
    #expect(Set(shown) == Set(files))
  }

  /// Returns an image of one color as a PNG file.
  private static func png(red: Int) throws -> [UInt8] {
    let pixel = [UInt8(red), 0, 0, 255]
    let pixels = (0..<16 * 16).flatMap { _ in pixel }
    return try Image(width: 16, height: 16, pixels: pixels).encoded(as: .png)
  }

  @Test("The gallery draws the visible rows and prefetches the next ones")
  func gallery() throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let bodies = try (0..<40).map { try Self.png(red: $0) }
    let transport = ScriptedTransport(timeline: timeline) { request in
      let row = request.url.split(separator: "/").last.flatMap { Int($0) } ?? 0
      return .init(
        after: .milliseconds(100),
        .success(TransportResponse(status: 200, body: bodies[row], url: request.url)))
    }
    let bytes = ByteLoader(transport: transport, timeline: timeline)
    let images = ImageLoader(bytes: bytes, decoder: ImageDecoder(timeline: timeline))
    let gallery = try GalleryStep4.Gallery(
      images, urls: (0..<40).map { "http://example.com/\($0)" }, timeline: timeline)

    let frames: [String]? = time.run {
      await gallery.move(to: 0)
      let loading = await gallery.frame()
      await time.quiescence()
      let first = await gallery.frame()
      await gallery.move(to: 32, velocity: 40)
      return [loading, first, await gallery.frame()]
    }

    let drawn = frames?.map { frame in (0..<40).filter { frame.contains("[38;2;\($0);0;0m") } }
    // The rows after the move are complete at once, because they were prefetched.
    #expect(drawn == [[], [0, 1, 2], [2, 3, 4]])
    #expect(frames?.first?.contains("1 ...") == true)
    #expect(transport.counters.duplicates == 0)
  }
}
