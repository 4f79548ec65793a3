internal import Cellophane
internal import Foundation
internal import Testing

/// What fuzzing found, and what has held since.
@Suite struct FuzzFindingsTests {
  private let decoder = ImageDecoder()
  private let partially = ImageOptions(allowsPartial: true)

  /// libjpeg takes over the size and the number of components before it refuses a second frame header; a picture
  /// of what came before was then made with the new ones, out of memory that nobody had written.
  @Test(arguments: [1, 3, 4] as [UInt8])
  func aSecondFrameHeaderChangesNothingOfWhatCameBefore(components: UInt8) throws {
    let file = try #require(PictureFixture.jpeg.first { $0.name == "progressive" }).bytes
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    let place = try #require(scans.dropFirst(3).first)
    let parts = (0..<components).flatMap { [$0 + 1, 0x11, 0] as [UInt8] }
    let frame: [UInt8] = [0xFF, 0xC2, 0, 8 + 3 * components, 8, 1, 0, 1, 0, components] + parts
    let before = Array(file[..<place])
    let expected = try decoder.decode(before, options: partially)
    let damaged = try decoder.decode(before + frame + file[place...], options: partially)
    #expect(damaged == expected && damaged.isPartial)

    // The same while the second header is still arriving.
    for length in frame.indices {
      let decoding = try #require(decoder.incremental(options: partially))
      _ = try decoding.feed(before + frame[..<length])
      #expect(try decoding.preview() == expected, "\(length) bytes of it")
    }
  }

  /// Rows of an interlaced PNG that came in the same piece as the damage behind them were not counted.
  @Test func rowsBeforeDamageAreShownHoweverTheyCame() throws {
    // Adam7, with an invalid filter in the first pass.
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAkAAAARBAAAAAGYiAStAAAAg0lEQVR42gF3AIj/AosBfQM8AJAAYASwAGKQApMgBNEAFQTUAd8AbwBd"
      + "esADmEsbA6vZHgAbbNAB1R0ApvwEvDYDBKcAKoAEt7QAYgEBjDEEvVcA0W9OoNAE/3kWyHAEkifH16kD4KNKEewAxZRMFCBaAcCHa+QaAF"
      + "wNglQwBMSfpDGcDe8qMDAFYGQAAAAAVenS6fwXxtE="
    let file = Array(try #require(Data(base64Encoded: text)))
    let atOnce = try decoder.decode(file, options: partially)
    #expect(atOnce.isPartial)
    #expect(try fed(file, cutAt: Array(1..<file.count), options: partially) == atOnce)
  }
}
