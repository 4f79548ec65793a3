internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct ImageTests {
  @Test func `the number of pixels must match the size`() throws {
    for (width, height, count) in [(2, 2, 15), (2, 2, 17), (0, 0, 0), (-1, -1, 4), (Int.max, Int.max, 4)] {
      let error = #expect(throws: LoadError.self) {
        try Image(width: width, height: height, pixels: Array(repeating: 0, count: count))
      }
      #expect(error?.kind == .invalidRequest)
    }
  }

  @Test func `pixels are read by column and row`() throws {
    let image = try Image(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6, 7, 255])
    #expect(image[1, 0] == Image.Pixel(red: 5, green: 6, blue: 7))
    #expect(image[0, 0].alpha == 4)
    #expect(!image.isOpaque)
  }

  @Test func `copies share their pixels`() throws {
    let image = try noise(8, 8, seed: 1)
    let copy = image
    let areShared = image.pixels.span.isIdentical(to: copy.pixels.span)
    #expect(areShared)
  }

  @Test(arguments: [[255], [0, 1, 254, 255]] as [[UInt8]])
  func `a PNG keeps every pixel`(alphas: [UInt8]) throws {
    for (width, height) in [(1, 1), (17, 9), (200, 150)] {
      let image = try noise(width, height, seed: 21, alphas: alphas)
      let bytes = try image.encoded(as: .png)
      #expect(try ImageDecoder().decode(bytes, options: ImageOptions()) == image)
      #expect(try ImageDecoder().header(of: bytes).colorModel == (image.isOpaque ? .rgb : .rgba))
    }
  }

  @Test func `a JPEG is similar and composed over white`() throws {
    let half = try Image(
      width: 40, height: 24, pixels: Array(repeating: [200, 100, 0, 128], count: 960).flatMap { $0 })
    let result = try ImageDecoder().decode(try half.encoded(as: .jpeg(quality: 95)), options: ImageOptions())
    #expect(result.width == 40 && result.height == 24 && result.isOpaque)
    for (value, expected) in zip(
      [result[20, 12].red, result[20, 12].green, result[20, 12].blue], [227, 177, 127])
    {
      #expect(abs(Int(value) - expected) <= 3)
    }
  }

  @Test func `JPEG quality is clamped`() throws {
    let image = try noise(64, 64, seed: 4)
    #expect(try image.encoded(as: .jpeg(quality: -5)) == image.encoded(as: .jpeg(quality: 1)))
    #expect(try image.encoded(as: .jpeg(quality: .max)) == image.encoded(as: .jpeg(quality: 100)))
    #expect(try image.encoded(as: .jpeg(quality: 20)).count < image.encoded(as: .jpeg(quality: 90)).count)
  }

  @Test func `a JPEG may be progressive and have colors at full resolution`() throws {
    let image = try noise(64, 64, seed: 4)
    for isProgressive in [false, true] {
      var sizes: [Int] = []
      for subsampling in [.yuv420, .yuv422, .yuv444] as [Image.ChromaSubsampling] {
        let file = try image.encoded(
          as: .jpeg(quality: 90, isProgressive: isProgressive, subsampling: subsampling))
        #expect(try ImageDecoder().header(of: file).isProgressive == isProgressive)
        sizes.append(file.count)
      }
      #expect(sizes == sizes.sorted() && Set(sizes).count == 3, "\(sizes)")
    }
  }

  @Test func `the level of a PNG changes its size, not its pixels`() throws {
    let image = try Image(
      width: 200, height: 100, pixels: (0..<80_000).map { $0 % 4 == 3 ? 255 : UInt8($0 / 97 % 256) })
    let files = try [0, 1, 9].map { try image.encoded(as: .png(level: $0)) }
    #expect(files[0].count > files[1].count && files[1].count >= files[2].count)
    for file in files {
      #expect(try ImageDecoder().decode(file, options: ImageOptions()).pixels == image.pixels)
    }
    #expect(try image.encoded(as: .png(level: 99)) == files[2])
    #expect(Image.Encoding.png(level: 9) != .png && Image.Encoding.png(level: 12) == .png(level: 9))
  }

  @Test func `an image too wide for JPEG cannot be encoded`() throws {
    let strip = try Image(width: 70_000, height: 1, pixels: Array(repeating: 255, count: 280_000))
    let error = #expect(throws: LoadError.self) { try strip.encoded(as: .jpeg()) }
    #expect(error?.kind == .unsupported)
    let small = ImageOptions(targetSize: PixelSize(width: 3, height: 3), mode: .exact)
    let bytes = try strip.encoded(as: .png)
    let reduced = try ImageDecoder().decode(bytes, options: small)
    #expect(reduced.pixels == Array(repeating: 255, count: 12))
  }

  @Test(arguments: [.png, .jpeg(quality: 90)] as [Image.Encoding])
  func `a large image is encoded in pieces`(encoding: Image.Encoding) throws {
    // 3.4 MB of incompressible pixels.
    let image = try noise(1_000, 857, seed: 5)
    var pieces: [[UInt8]] = []
    try image.encode(as: encoding) { piece throws(LoadError) in
      pieces.append(unsafe piece.withUnsafeBufferPointer { unsafe Array($0) })
    }
    #expect(pieces.count == 4)
    #expect(pieces.allSatisfy { !$0.isEmpty && $0.count < 2 << 20 }, "\(pieces.map(\.count))")
    let file = try image.encoded(as: encoding)
    #expect(pieces.flatMap { $0 } == file)
    let decoded = try ImageDecoder().decode(file, options: ImageOptions())
    #expect(decoded.width == 1_000 && decoded.height == 857)
    if encoding == .png { #expect(decoded == image) }
  }

  @Test func `an error of the consumer ends the encoding`() throws {
    let image = try noise(1_000, 857, seed: 6)
    var pieceCount = 0
    let error = #expect(throws: LoadError.self) {
      try image.encode(as: .png) { _ throws(LoadError) in
        pieceCount += 1
        if pieceCount == 2 { throw LoadError(.io, "the disk is full") }
      }
    }
    #expect(error?.kind == .io && pieceCount == 2)
  }
}
