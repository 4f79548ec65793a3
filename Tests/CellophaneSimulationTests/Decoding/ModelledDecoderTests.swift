import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneSimulation

@Suite struct ModelledDecoderTests {
  static let size = PixelSize(width: 1_000, height: 500)
  static let costs = SimulationConfiguration.Decoding()

  let time = VirtualTime()

  func make() -> ModelledDecoder {
    ModelledDecoder(
      costs: Self.costs, processor: ModelledProcessor(cores: Self.costs.cores, timeline: time.timeline()),
      observers: RunObservers([], timeline: time.timeline()))
  }

  @Test func `decoding takes the time of the format, as many at once as there are cores`() {
    let decoder = make()
    let ends = Notes<String>()
    for row in 0..<4 {
      let file = ModelledFile(picture: row, isPNG: row % 2 == 0, size: Self.size).bytes(3_000)
      time.timeline().spawn { [time] in
        let picture = try? await decoder.decode(file, options: ImageOptions())
        ends.add("\(picture?.number ?? -1) \(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    // PNG 5 ms, JPEG 3 ms.
    #expect(ends.all == ["1 3", "0 5", "2 8", "3 8"])
  }

  @Test func `who is cancelled gives his core back at once, and waits for none`() {
    let decoder = make()
    let timeline = time.timeline()
    let file = ModelledFile(picture: 0, isPNG: true, size: PixelSize(width: 10_000, height: 10_000)).bytes(50)
    let tasks = (0..<4).map { _ in
      timeline.spawn { _ = try? await decoder.decode(file, options: ImageOptions()) }
    }
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(1))
      for task in tasks { task.cancel() }
      let small = ModelledFile(picture: 0, isPNG: true, size: Self.size).bytes(50)
      _ = try? await decoder.decode(small, options: ImageOptions())
    }
    time.run()
    #expect(time.now.nanoseconds == 6_000_000)
  }

  @Test func `a picture costs what its pixels would at the size shown`() async throws {
    let decoder = make()
    let file = ModelledFile(picture: 7, isPNG: false, size: Self.size).bytes(3_000)
    let options = ImageOptions(targetSize: PixelSize(width: 100, height: 100))
    #expect(try decoder.workingBytes(for: file, options: options) == 100 * 50 * 4)
    #expect(try decoder.workingBytes(for: file, options: ImageOptions()) == 1_000 * 500 * 4)
    #expect(decoder.cost(of: ModelledDecoder.Picture(number: 7, pixelBytes: 20)) == 20)
  }

  @Test func `the pictures of rows have the sizes of generated ones, and are no other row's`() async throws {
    let pictures = ModelledPictures(contents: ListContents(SimulationConfiguration.List(), seed: 1))
    let files = try await PictureFiles(0..<12, seed: 1) { _ in PixelSize(width: 320, height: 320) }
    let ratio = Double(pictures.meanBytes(of: 400)) / Double(files.meanBytes)
    #expect((0.93...1.07).contains(ratio), "\(ratio)")
    for picture in [0, 1, 400] {
      let bytes = pictures.file(of: picture)
      #expect(bytes.count == pictures.bytes(of: picture))
      let file = try ModelledFile(reading: bytes)
      #expect(file.picture == picture)
      #expect(file.size == pictures.contents.imageSize(of: picture))
      #expect(throws: LoadError.self) { try ModelledFile(reading: Array(bytes.dropLast())) }
    }
    #expect(throws: LoadError.self) { try ModelledFile(reading: []) }
  }
}
