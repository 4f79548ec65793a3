@testable internal import CellophaneImages
internal import TestSupport
internal import Testing

/// Inverts colors: the example in the documentation of ``ImageProcessor``.
private struct Inversion: ImageProcessor {
  func process(_ image: consuming Image) throws(LoadError) -> Image {
    image.withMutablePixels { pixels in
      for index in pixels.indices where index % 4 != 3 { pixels[index] = 255 - pixels[index] }
    }
    return image
  }
}

/// Repeats an image, so that its size changes.
private struct Repetition: ImageProcessor {
  /// Whether the announced size is right.
  var isHonest = true

  func size(for size: PixelSize) -> PixelSize {
    isHonest ? PixelSize(width: size.width, height: size.height * 2) : size
  }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    try image.replacing(
      pixels: image.pixels + image.pixels, size: PixelSize(width: image.width, height: image.height * 2))
  }
}

@Suite struct ImageProcessingTests {
  private static let color = Image.Pixel(red: 200, green: 10, blue: 60, alpha: 90)

  /// A chain element of each kind, and several resizings.
  private static let all: [ImageProcessing] =
    [
      .crop(x: 0, y: 0, width: 9, height: 9), .crop(x: -3, y: 0, width: 4, height: Int.max),
      .crop(toAspectRatioOf: PixelSize(width: 16, height: 9)), .border(width: 2, color: color),
      .pad(to: PixelSize(width: 12, height: 60), color: Image.Pixel(red: 1, green: 2, blue: 3)),
      .roundedCorners(radius: 3.5), .circle, .blur(radius: 1.3), .grayscale, .tint(color),
      ImageProcessing(Inversion()), ImageProcessing(Repetition()),
    ]
    + ResizeMode.allCases.flatMap { mode in
      [false, true].map { .resize(to: PixelSize(width: 13, height: 8), mode: mode, enlarges: $0) }
    }

  @Test(arguments: [(1, 1), (1, 40), (40, 1), (2, 3), (13, 8), (26, 16), (31, 47), (50, 9)])
  func `the size of the result is known before`(_ size: (Int, Int)) throws {
    let image = try noise(size.0, size.1, seed: 1, alphas: [0, 50, 255])
    for processor in Self.all {
      let result = try processor.process(image)
      let planned = processor.size(for: PixelSize(width: size.0, height: size.1))
      #expect(PixelSize(width: result.width, height: result.height) == planned)
      #expect(result.pixels.count == planned.byteCount && result.width > 0)
    }
  }

  @Test func `hostile sizes have a result of at least one pixel`() {
    for processor in Self.all.filter({ $0 != ImageProcessing(Repetition()) }) {
      for side in [1, 1 << 31, 1 << 40, Int.max] {
        for size in [PixelSize(width: side, height: 1), PixelSize(width: side, height: side)] {
          let result = processor.size(for: size)
          #expect(result.width > 0 && result.height > 0)
        }
      }
    }
  }

  @Test func `transparent pixels stay transparent`() throws {
    let pixels: [ImageProcessing] = [
      .blur(radius: 2), .grayscale, .tint(Self.color), .roundedCorners(radius: 4), .circle,
    ]
    let hidden = try noise(16, 11, seed: 9, alphas: [0])
    for processor in pixels + [.resize(to: PixelSize(width: 5, height: 5))] {
      let result = try hidden.processed(by: [processor])
      #expect(stride(from: 3, to: result.pixels.count, by: 4).allSatisfy { result.pixels[$0] == 0 })
    }
  }

  @Test func `opaque images stay opaque unless they are clipped`() throws {
    let image = try noise(16, 11, seed: 9)
    let clipping: [ImageProcessing] = [.roundedCorners(radius: 3.5), .circle]
    for processor in Self.all {
      #expect(try image.processed(by: [processor]).isOpaque == !clipping.contains(processor))
    }
  }

  @Test func `all other properties are kept`() throws {
    let pixels = try noise(21, 14, seed: 3).pixels
    let image = Image(
      size: PixelSize(width: 21, height: 14), validatedPixels: pixels, isPartial: true,
      warnings: [.missingEnd],
      colorProfile: ColorProfile(nil, of: .gray), orientation: .right)
    for processor in Self.all {
      let result = try image.processed(by: [processor])
      #expect(result.isPartial && result.warnings == [.missingEnd] && result.orientation == .right)
      #expect(result.colorProfile == image.colorProfile && result.colorProfile != nil)
    }
  }

  @Test(arguments: ResizeMode.allCases, ResizeFilter.allCases)
  func `an image is resized like a decoding`(mode: ResizeMode, filter: ResizeFilter) throws {
    let image = try noise(31, 17, seed: 11, alphas: [0, 3, 128, 255])
    let file = try image.encoded(as: .png)
    for enlarges in [false, true] {
      for (width, height) in [(31, 17), (30, 40), (16, 9), (1, 1), (90, 50)] {
        let size = PixelSize(width: width, height: height)
        let options = ImageOptions(targetSize: size, mode: mode, filter: filter, enlarges: enlarges)
        let resized = try image.processed(by: [
          .resize(to: size, mode: mode, filter: filter, enlarges: enlarges)
        ])
        #expect(resized == (try ImageDecoder().decode(file, options: options)))
      }
    }
  }

  @Test func `hostile target sizes are errors`() throws {
    let image = try noise(6, 4, seed: 1)
    for (size, kind) in [
      ((0, 5), .invalidRequest), ((5, -1), .invalidRequest), ((Int.max, Int.max), .imageTooLarge),
      ((20_000, 20_000), .imageTooLarge), ((100_000_000, 1), .imageTooLarge),
    ] as [((Int, Int), LoadError.Kind)] {
      let target = PixelSize(width: size.0, height: size.1)
      let error = #expect(throws: LoadError.self) {
        try image.processed(by: [.resize(to: target, mode: .exact, enlarges: true)])
      }
      #expect(error?.kind == kind)
    }
  }

  @Test func `a radius that is not a number is an error`() throws {
    let image = try noise(6, 4, seed: 1)
    for processor in [.blur(radius: .nan), .roundedCorners(radius: .nan)] as [ImageProcessing] {
      let error = #expect(throws: LoadError.self) { try image.processed(by: [processor]) }
      #expect(error?.kind == .invalidRequest)
    }
  }

  @Test func `a canvas surrounds an image`() throws {
    let image = try Image(width: 1, height: 2, pixels: [1, 2, 3, 4, 5, 6, 7, 8])
    let result = try image.processed(by: [.pad(to: PixelSize(width: 4, height: 1), color: Self.color)])
    let border: [UInt8] = [200, 10, 60, 90]
    let rows = [border + [1, 2, 3, 4] + border + border, border + [5, 6, 7, 8] + border + border]
    #expect(result.pixels == rows.flatMap(\.self) && result.width == 4)
    #expect(throws: LoadError.self) {
      try image.processed(by: [.pad(to: PixelSize(width: Int.max, height: Int.max), color: Self.color)])
    }
  }

  @Test func `processors are applied in order`() throws {
    let image = try noise(20, 20, seed: 1)
    let (small, border) = (
      ImageProcessing.crop(x: 4, y: 4, width: 8, height: 8),
      ImageProcessing.border(width: 2, color: Self.color)
    )
    let first = try image.processed(by: [small, border])
    #expect(first == (try border.process(small.process(image))))
    #expect(first != (try image.processed(by: [border, small])))
    #expect(try image.processed(by: []) == image)
  }

  @Test func `custom processors are part of a chain`() throws {
    let image = try noise(5, 4, seed: 1, alphas: [0, 7, 255])
    let inverted = try image.processed(by: [ImageProcessing(Inversion())])
    #expect(inverted[3, 2].red == 255 - image[3, 2].red && inverted[3, 2].alpha == image[3, 2].alpha)
    #expect(try inverted.processed(by: [ImageProcessing(Inversion())]) == image)
    let twice = try image.processed(by: [ImageProcessing(Repetition()), .grayscale])
    #expect(twice.height == 8 && twice[2, 6] == twice[2, 2])
  }

  @Test func `a wrong announcement is an error`() throws {
    let image = try noise(5, 4, seed: 1)
    let error = #expect(throws: LoadError.self) {
      try image.processed(by: [ImageProcessing(Repetition(isHonest: false))])
    }
    #expect(error?.kind == .invalidRequest && error?.message.contains("5x8") == true)
  }

  @Test func `an image without pixels is not processed`() throws {
    let image = Image(size: PixelSize(width: 4, height: 4), validatedPixels: [])
    let error = #expect(throws: LoadError.self) { try image.processed(by: [.grayscale]) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test func `pixels are changed in place`() throws {
    var image = try noise(40, 30, seed: 1)
    func address(_ image: borrowing Image) -> UInt {
      unsafe image.pixels.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    // Other tests may share the array, which must not happen in this one.
    image.withMutablePixels { $0[0] = 1 }
    let before = address(image)
    let chain: [ImageProcessing] = [
      .blur(radius: 2), .grayscale, .tint(Self.color), .border(width: 1, color: Self.color),
      .roundedCorners(radius: 3), ImageProcessing(Inversion()),
    ]
    let result = try (consume image).processed(by: chain)
    #expect(address(result) == before)
  }

  @Test func `the original is unchanged`() throws {
    let image = try noise(20, 20, seed: 1)
    let pixels = image.pixels.map { $0 }
    for processor in Self.all {
      _ = try image.processed(by: [processor])
      #expect(image.pixels == pixels)
    }
  }

  @Test func `equal processors have equal hashes`() {
    #expect(Set(Self.all + Self.all).count == Self.all.count)
    #expect(
      ImageProcessing.blur(radius: 2) == .blur(radius: 2)
        && .blur(radius: 2) != ImageProcessing.blur(radius: 3))
    #expect(ImageProcessing(Inversion()) != .grayscale)
  }

  @Test func `a cancelled task gets no image`() async throws {
    let image = try noise(20, 20, seed: 1)
    for processor in Self.all
    where processor != ImageProcessing(Inversion()) && processor != ImageProcessing(Repetition()) {
      let task = Task {
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
        return Result { () throws(LoadError) in try image.processed(by: [processor]) }
      }
      #expect(await task.value == .failure(.cancelled))
    }
  }
}
