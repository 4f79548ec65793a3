@testable internal import CellophaneImages
internal import Testing

@Suite struct FramingTests {
  struct Case: Sendable, CustomStringConvertible {
    let stored, target: (Int, Int)
    let mode: ResizeMode
    let output: (Int, Int)
    var denominator = 1
    var orientation = Orientation.up
    var enlarges = false

    var description: String { "\(stored) to \(target) \(mode) \(orientation) \(enlarges)" }
  }

  static let cases = [
    Case(stored: (100, 50), target: (50, 50), mode: .fit, output: (50, 25)),
    Case(stored: (100, 50), target: (50, 10), mode: .fit, output: (20, 10), denominator: 2),
    Case(stored: (100, 50), target: (200, 200), mode: .fit, output: (100, 50)),
    Case(stored: (100, 50), target: (200, 20), mode: .fit, output: (40, 20)),
    Case(stored: (1_000, 3), target: (100, 100), mode: .fit, output: (100, 1)),
    Case(stored: (3, 1_000), target: (100, 100), mode: .fit, output: (1, 100)),
    Case(stored: (333, 333), target: (100, 100), mode: .fit, output: (100, 100)),
    Case(stored: (4_000, 3_000), target: (256, 256), mode: .fit, output: (256, 192), denominator: 4),
    Case(stored: (4_096, 3_072), target: (256, 256), mode: .fit, output: (256, 192), denominator: 8),
    Case(stored: (4_095, 3_072), target: (256, 256), mode: .fit, output: (256, 192), denominator: 4),
    Case(stored: (4_000, 3_000), target: (256, 256), mode: .fill, output: (256, 256), denominator: 4),
    Case(stored: (100, 50), target: (80, 80), mode: .fill, output: (50, 50)),
    Case(stored: (100, 50), target: (80, 60), mode: .fill, output: (67, 50)),
    Case(stored: (100, 50), target: (200, 20), mode: .fill, output: (100, 10)),
    Case(stored: (100, 50), target: (25, 25), mode: .fill, output: (25, 25)),
    Case(stored: (100, 50), target: (33, 50), mode: .fill, output: (33, 50)),
    Case(stored: (100, 50), target: (12, 12), mode: .fill, output: (12, 12), denominator: 2),
    Case(stored: (100, 50), target: (25, 25), mode: .shortestSide, output: (50, 25)),
    Case(stored: (50, 100), target: (10, 10), mode: .shortestSide, output: (10, 20), denominator: 2),
    Case(stored: (100, 50), target: (60, 60), mode: .shortestSide, output: (100, 50)),
    Case(stored: (100, 50), target: (60, 20), mode: .shortestSide, output: (60, 30)),
    Case(stored: (100, 50), target: (20, 30), mode: .shortestSide, output: (40, 20), orientation: .right),
    Case(stored: (100, 50), target: (60, 60), mode: .shortestSide, output: (120, 60), enlarges: true),
    Case(
      stored: (65_535, 1), target: (Int.max, Int.max), mode: .shortestSide, output: (1 << 31, 1 << 31),
      enlarges: true),
    Case(stored: (100, 50), target: (80, 80), mode: .exact, output: (80, 50)),
    Case(stored: (100, 50), target: (10, 40), mode: .exact, output: (10, 40)),
    Case(stored: (100, 50), target: (20, 30), mode: .fit, output: (30, 15), orientation: .right),
    Case(stored: (100, 50), target: (20, 30), mode: .exact, output: (30, 20), orientation: .left),
    Case(stored: (100, 50), target: (20, 30), mode: .exact, output: (20, 30), orientation: .down),
    Case(stored: (100, 50), target: (200, 200), mode: .fit, output: (200, 100), enlarges: true),
    Case(stored: (100, 50), target: (1_000, 60), mode: .fit, output: (120, 60), enlarges: true),
    Case(stored: (100, 50), target: (80, 80), mode: .fill, output: (80, 80), enlarges: true),
    Case(stored: (100, 50), target: (300, 400), mode: .fill, output: (300, 400), enlarges: true),
    Case(stored: (100, 50), target: (200, 10), mode: .exact, output: (200, 10), enlarges: true),
    Case(
      stored: (100, 50), target: (20, 300), mode: .exact, output: (300, 20), orientation: .right,
      enlarges: true),
    Case(
      stored: (65_535, 1), target: (Int.max, Int.max), mode: .exact, output: (1 << 31, 1 << 31),
      enlarges: true),
    Case(
      stored: (65_535, 65_535), target: (Int.max, 1), mode: .fit, output: (1, 1), denominator: 8),
  ]

  @Test(arguments: cases)
  func `the result and the crop follow the resize mode and the orientation`(_ test: Case) throws {
    let header = ImageHeader(
      format: .jpeg, size: PixelSize(width: test.stored.0, height: test.stored.1),
      orientation: test.orientation, bitDepth: 8, colorModel: .rgb, isProgressive: false)
    let target = PixelSize(width: test.target.0, height: test.target.1)
    let framing = try Framing(
      header: header, scaling: JPEGCodec().scaling(header),
      options: ImageOptions(targetSize: target, mode: test.mode, enlarges: test.enlarges))
    #expect(framing.output == PixelSize(width: test.output.0, height: test.output.1))
    #expect(framing.denominator == test.denominator)

    // The crop is always within the decoded image. It is not smaller than the result unless that is enlarged.
    let crop = framing.crop
    #expect(crop.x >= 0 && crop.x + crop.width <= Double(framing.decoded.width))
    #expect(crop.y >= 0 && crop.y + crop.height <= Double(framing.decoded.height))
    #expect(framing.isResampled || crop.x == crop.x.rounded() && crop.y == crop.y.rounded())
    #expect(
      test.enlarges
        || crop.width >= Double(framing.output.width) && crop.height >= Double(framing.output.height))
  }
}
