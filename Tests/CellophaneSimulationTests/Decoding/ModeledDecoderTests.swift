import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct ModeledDecoderTests {
  static let size = PixelSize(width: 1_000, height: 500)
  static var costs: SimulationConfiguration.Decoding {
    var costs = SimulationConfiguration.Decoding()
    costs.png = [30, 20, 10, 10]
    costs.jpeg = [9, 8, 6, 5]
    return costs
  }

  let time = VirtualTime()

  func make() -> ModeledDecoder {
    ModeledDecoder(
      costs: Self.costs, processor: ModeledProcessor(cores: Self.costs.cores, timeline: time.timeline()),
      observers: RunObservers([], timeline: time.timeline()))
  }

  @Test func `a decoding takes the time of its format, and at most one runs per core`() {
    let decoder = make()
    let ends = Notes<String>()
    for row in 0..<4 {
      let file = ModeledFile(picture: row, isPNG: row % 2 == 0, size: Self.size).bytes(3_000)
      time.timeline().spawn { [time] in
        let picture = try? await decoder.decode(file, options: ImageOptions())
        ends.add("\(picture?.identity == .row(row) ? row : -1) \(time.now.nanoseconds / 1_000_000)")
      }
    }
    time.run()
    // PNG 5 ms, JPEG 3 ms.
    #expect(ends.all == ["1 3", "0 5", "2 8", "3 8"])
  }

  @Test func `a cancelled decoding releases its core immediately, and a cancelled waiter takes none`() {
    let decoder = make()
    let timeline = time.timeline()
    let file = ModeledFile(picture: 0, isPNG: true, size: PixelSize(width: 10_000, height: 10_000)).bytes(50)
    let tasks = (0..<4).map { _ in
      timeline.spawn { _ = try? await decoder.decode(file, options: ImageOptions()) }
    }
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(1))
      for task in tasks { task.cancel() }
      let small = ModeledFile(picture: 0, isPNG: true, size: Self.size).bytes(50)
      _ = try? await decoder.decode(small, options: ImageOptions())
    }
    time.run()
    #expect(time.now.nanoseconds == 6_000_000)
  }

  @Test func `a modeled image has the memory cost of its pixels at the displayed size`() async throws {
    let decoder = make()
    let file = ModeledFile(picture: 7, isPNG: false, size: Self.size).bytes(3_000)
    let options = ImageOptions(targetSize: PixelSize(width: 100, height: 100))
    #expect(try decoder.workingBytes(for: file, options: options) == 100 * 50 * 4)
    #expect(try decoder.workingBytes(for: file, options: ImageOptions()) == 1_000 * 500 * 4)
    #expect(decoder.cost(of: ModeledDecoder.Picture(identity: .row(7), pixelBytes: 20)) == 20)
  }

  @Test(arguments: [(256, 256, 30, 9), (512, 512, 20, 8), (1_024, 1_024, 10, 6), (1_025, 1_024, 10, 5)])
  func `small images have a higher decoding cost per pixel`(width: Int, height: Int, png: Int, jpeg: Int) {
    let size = PixelSize(width: width, height: height)
    for (isPNG, cost) in [(true, png), (false, jpeg)] {
      #expect(Self.costs.time(of: size, isPNG: isPNG) == .nanoseconds(width * height * cost))
    }
  }

  private static func configuration(_ size: PixelSize, seed: UInt64) -> SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.list.image = size
    configuration.seed = seed
    return configuration
  }

  @Test
  func `modeled files have the sizes of photographic images, and real files have exactly the same sizes`()
    async throws
  {
    let size = PixelSize(width: 320, height: 320)
    let configuration = Self.configuration(size, seed: 1)
    let pictures = ModeledPictures(contents: ListContents(configuration.list, seed: 1))
    for isPNG in [true, false] {
      let rows = (0..<16).filter { $0.isMultiple(of: 2) == isPNG }
      let encoded = try rows.map { try PictureFiles.encode(RowPicture(row: $0, size: size, seed: 1)).count }
      let modeled = rows.map { pictures.bytes(of: $0) }
      let ratio = Double(modeled.reduce(0, +)) / Double(encoded.reduce(0, +))
      #expect((0.93...1.07).contains(ratio), "\(ratio)")
    }
    let files = LazyPictureFiles(0..<4, of: configuration)
    for picture in 0..<4 {
      let file = try #require(try files.file(of: picture))
      #expect(file.count == pictures.bytes(of: picture))
      let image = try ImageDecoder().decode(file, options: ImageOptions())
      #expect(PictureIdentity(readingRowFrom: image) == .row(picture))
    }
  }

  @Test(arguments: [16, 24, 33, 48, 100])
  func `real files of any image size fit, and the padding after their end is ignored`(side: Int) async throws
  {
    for size in [PixelSize(width: side, height: side), PixelSize(width: side, height: 2 * side)] {
      let files = LazyPictureFiles(0..<4, of: Self.configuration(size, seed: UInt64(side)))
      for picture in 0..<4 {
        let file = try #require(try files.file(of: picture))
        let image = try ImageDecoder().decode(file, options: ImageOptions())
        #expect(PictureIdentity(readingRowFrom: image) == .row(picture))
      }
    }
  }

  @Test func `a modeled file is complete and identifies its image`() throws {
    let pictures = ModeledPictures(contents: ListContents(SimulationConfiguration.List(), seed: 1))
    for picture in [0, 1, 400] {
      let bytes = pictures.file(of: picture)
      #expect(bytes.count == pictures.bytes(of: picture))
      let file = try ModeledFile(reading: bytes)
      #expect(file.picture == picture)
      #expect(file.size == pictures.contents.imageSize(of: picture))
      #expect(throws: LoadError.self) { try ModeledFile(reading: Array(bytes.dropLast())) }
    }
    #expect(throws: LoadError.self) { try ModeledFile(reading: []) }
  }
}
