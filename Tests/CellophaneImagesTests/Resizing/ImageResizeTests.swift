internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite(.thorough)
struct ImageResizeTests {
  private func decoded(
    _ image: Image, as encoding: Image.Encoding = .png, to width: Int, _ height: Int,
    mode: ResizeMode = .exact
  ) throws -> Image {
    let options = ImageOptions(targetSize: PixelSize(width: width, height: height), mode: mode)
    return try ImageDecoder().decode(try image.encoded(as: encoding), options: options)
  }

  @Test(arguments: [(31, 17), (30, 16), (16, 9), (10, 10), (3, 17), (31, 1), (1, 1)], ResizeMode.allCases)
  func `pixels are the averages of their areas`(_ size: (Int, Int), mode: ResizeMode) throws {
    let source = try noise(31, 17, seed: 11, alphas: [1, 3, 128, 255])
    let result = try decoded(source, to: size.0, size.1, mode: mode)
    let target = PixelSize(width: size.0, height: size.1)
    let reference = AreaReference.reduced(source, to: target, mode: mode)
    #expect(result.width == reference.width && result.height == reference.height)
    #expect(AreaReference.largestDifference(result, reference) <= 1)
  }

  @Test(arguments: [0, 1, 127, 254, 255] as [UInt8], [1, 77, 255] as [UInt8])
  func `a uniform color stays uniform`(value: UInt8, alpha: UInt8) throws {
    let pixels = Array(repeating: [value, 255 - value, 60, alpha], count: 97 * 61).joined()
    let source = try Image(width: 97, height: 61, pixels: Array(pixels))
    for (width, height) in [(96, 60), (41, 13), (7, 5), (1, 1)] {
      let result = try decoded(source, to: width, height)
      let expected = Image.Pixel(red: value, green: 255 - value, blue: 60, alpha: alpha)
      #expect(Set((0..<width).map { result[$0, height / 2] }) == [expected])
    }
  }

  @Test func `a uniform JPEG stays uniform at every scale`() throws {
    let source = try Image(width: 203, height: 149, pixels: Array(repeating: 90, count: 203 * 149 * 4))
    let full = try decoded(source, as: .jpeg(), to: 203, 149)
    for width in [150, 100, 50, 25, 12, 6, 3, 1] {
      let result = try decoded(source, as: .jpeg(), to: width, width, mode: .fit)
      #expect(Set((0..<result.width).map { result[$0, result.height - 1] }) == [full[0, 0]])
    }
  }

  @Test func `transparent colors do not bleed`() throws {
    var pixels: [UInt8] = []
    for _ in 0..<8 { for x in 0..<8 { pixels += x < 3 ? [255, 0, 0, 0] : [0, 200, 0, 255] } }
    let result = try decoded(try Image(width: 8, height: 8, pixels: pixels), to: 4, 4)
    #expect(result[0, 0] == Image.Pixel(red: 0, green: 0, blue: 0, alpha: 0))
    #expect(result[1, 0] == Image.Pixel(red: 0, green: 200, blue: 0, alpha: 128))
    #expect(result[2, 0] == Image.Pixel(red: 0, green: 200, blue: 0, alpha: 255))
  }

  @Test func `brightness is preserved`() throws {
    let source = try noise(64, 48, seed: 3)
    func mean(_ image: Image) -> Double {
      Double(image.pixels.reduce(0) { $0 + Int($1) }) / Double(image.pixels.count)
    }
    for (width, height) in [(63, 47), (32, 24), (17, 31), (5, 4)] {
      let result = try decoded(source, to: width, height)
      #expect(abs(mean(result) - mean(source)) < 0.25, "\(width)x\(height)")
    }
  }

  @Test func `images are not enlarged by default`() throws {
    let source = try noise(6, 4, seed: 8, alphas: [0, 9, 255])
    for mode in [ResizeMode.fit, .exact] {
      #expect(try decoded(source, to: 60, 40, mode: mode) == source)
    }
    let filled = try decoded(source, to: 60, 60, mode: .fill)
    #expect(filled.width == 4 && filled.height == 4)
    for (x, y) in [(0, 0), (3, 0), (2, 3)] { #expect(filled[x, y] == source[x + 1, y]) }
  }

  @Test func `images are enlarged on request, within the limit`() throws {
    let source = try noise(6, 4, seed: 8, alphas: [0, 9, 255])
    let bytes = try source.encoded(as: .png)
    for filter in ResizeFilter.allCases {
      for (mode, expected) in [(ResizeMode.fit, (60, 40)), (.fill, (60, 60)), (.exact, (60, 60))] {
        let options = ImageOptions(
          targetSize: PixelSize(width: 60, height: 60), mode: mode, filter: filter, enlarges: true)
        let result = try ImageDecoder().decode(bytes, options: options)
        #expect(result.width == expected.0 && result.height == expected.1)
        let tight = ImageDecoder(maximumPixels: expected.0 * expected.1 - 1)
        let error = #expect(throws: LoadError.self) { try tight.decode(bytes, options: options) }
        #expect(error?.kind == .imageTooLarge)
      }
    }
    let huge = ImageOptions(
      targetSize: PixelSize(width: Int.max, height: Int.max), mode: .exact, enlarges: true)
    let error = #expect(throws: LoadError.self) { try ImageDecoder().decode(bytes, options: huge) }
    #expect(error?.kind == .imageTooLarge)
  }

  @Test func `an interlaced image is reduced like any other image`() throws {
    for fixture in PictureFixture.png where fixture.name.contains("Adam7") {
      let full = try ImageDecoder().decode(fixture.bytes, options: ImageOptions())
      let target = PixelSize(width: 5, height: 4)
      let result = try ImageDecoder().decode(
        fixture.bytes, options: ImageOptions(targetSize: target, mode: .fill))
      let reference = AreaReference.reduced(full, to: target, mode: .fill)
      #expect(AreaReference.largestDifference(result, reference) <= 1, "\(fixture)")
    }
  }

  @Test func `a scaled JPEG is similar to the reduced image`() throws {
    var pixels: [UInt8] = []
    for y in 0..<200 {
      for x in 0..<320 { pixels += [UInt8(x * 255 / 319), UInt8(y * 255 / 199), UInt8((x + y) / 3), 255] }
    }
    let source = try Image(width: 320, height: 200, pixels: pixels)
    let full = try decoded(source, as: .jpeg(quality: 95), to: 320, 200)
    for width in [160, 80, 40, 20, 10] {
      let result = try decoded(source, as: .jpeg(quality: 95), to: width, width, mode: .fit)
      let target = PixelSize(width: width, height: width)
      let reference = AreaReference.reduced(full, to: target, mode: .fit)
      #expect(AreaReference.largestDifference(result, reference) <= 4, "\(width)")
    }
  }

  @Test func `a target size without pixels is invalid`() throws {
    for (width, height) in [(0, 5), (5, 0), (-1, 5), (5, Int.min)] {
      let error = #expect(throws: LoadError.self) { try decoded(try noise(3, 3, seed: 1), to: width, height) }
      #expect(error?.kind == .invalidRequest)
    }
    let huge = try decoded(try noise(3, 2, seed: 1), to: Int.max, Int.max, mode: .fill)
    #expect(huge.width == 2 && huge.height == 2)
  }
}
