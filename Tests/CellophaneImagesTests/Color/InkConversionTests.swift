#if ColorManagement
  internal import Cellophane
  internal import TestSupport
  internal import Testing

  @Suite struct InkConversionTests {
    private func toSRGB(_ side: Int? = nil, partial: Bool = false) -> ImageOptions {
      var options = ImageOptions(
        targetSize: side.map { PixelSize(width: $0, height: $0) }, allowsPartial: partial)
      options.convertsToSRGB = true
      return options
    }

    private func decoded(_ bytes: [UInt8], _ options: ImageOptions) throws -> Image {
      try ImageDecoder().decode(bytes, options: options)
    }

    @Test(arguments: InkReference.all)
    func `colors are equal to the reference`(_ reference: InkReference) throws {
      let full = try decoded(reference.file, toSRGB())
      #expect(full.width == 128 && full.height == 128)
      #expect(reference.difference(full, square: 8) <= 1)
      #expect(try decoded(reference.file, ImageOptions()) != full)
    }

    @Test(.thorough, arguments: InkReference.all)
    func `CMYK is converted before pixels are averaged`(_ reference: InkReference) throws {
      // Reduced by libjpeg, by libjpeg and the resampler, by the resampler.
      for (side, square) in [(64, 4), (32, 2), (16, 1)] {
        let small = try decoded(reference.file, toSRGB(side))
        #expect(reference.difference(small, square: square) <= 1, "\(side)")
      }
      let (full, small) = (try decoded(reference.file, toSRGB()), try decoded(reference.file, toSRGB(112)))
      let mixed = AreaReference.reduced(full, to: PixelSize(width: 112, height: 112), mode: .fit)
      #expect(AreaReference.largestDifference(small, mixed) <= 1)
    }

    @Test(arguments: InkReference.all)
    func `CMYK is converted in pieces and with an orientation`(_ reference: InkReference) throws {
      let full = try decoded(reference.file, toSRGB())
      var previews = 0
      let cuts = Array(stride(from: 1_000, to: reference.file.count, by: 300))
      let inPieces = try fed(reference.file, cutAt: cuts, options: toSRGB()) { _, hasMore, image in
        guard hasMore, let image else { return }
        previews += 1
        // The early scans of the progressive reference, "relative", are blurred, but opaque. Only
        // "perceptual" has final colors in a preview.
        let rows = visibleRows(image)
        #expect((0..<rows).allSatisfy { image[0, $0].alpha == 255 })
        if reference.name == "perceptual" { #expect(reference.difference(image, square: 8, rows: rows) <= 1) }
      }
      #expect(inPieces == full && previews > 2)

      let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 3, 0, 0]
      let rotated = try decoded(
        colored(jpeg: reference.file, [(0xE1, Array("Exif\0\0".utf8) + tiff)]), toSRGB())
      #expect((0..<128).allSatisfy { rotated[$0, 5] == full[127 - $0, 122] })
    }

    @Test(arguments: InkReference.all)
    func `the partial image of a truncated file is converted`(_ reference: InkReference) throws {
      let cut = Array(reference.file.dropLast(500))
      let image = try decoded(cut, toSRGB(partial: true))
      let rows = visibleRows(image)
      #expect(image.isPartial && rows > 50)
      #expect((0..<rows).allSatisfy { image[127, $0].alpha == 255 })
      if reference.name == "perceptual" { #expect(reference.difference(image, square: 8, rows: rows) <= 1) }
    }

    @Test func `without a usable profile, the option has no effect`() throws {
      let inks = PictureFixture.jpeg.filter { $0.name.contains("CMYK") }
      try #require(inks.count >= 2)
      let empty = app2(ICCWriter(space: "CMYK", kind: "prtr").bytes)
      for fixture in inks {
        let mixed = try decoded(fixture.bytes, ImageOptions())
        #expect(try decoded(fixture.bytes, toSRGB()) == mixed && mixed.warnings.isEmpty, "\(fixture)")
        let ignored = try decoded(colored(jpeg: fixture.bytes, empty), toSRGB())
        #expect(ignored.pixels == mixed.pixels && ignored.warnings == [.unconvertedColors], "\(fixture)")
      }
    }
  }
#endif
