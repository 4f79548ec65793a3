internal import TestSupport

#if ColorManagement
  @testable internal import CellophaneImages
  internal import Testing

  @Suite(.thorough)
  struct ColorConversionTests {
    private let toSRGB: ImageOptions = {
      var options = ImageOptions()
      options.convertsToSRGB = true
      return options
    }()

    private func decoded(_ bytes: [UInt8]) throws -> Image {
      try ImageDecoder().decode(bytes, options: toSRGB)
    }

    /// Returns the largest difference of a color from the reference, or nil if an alpha value has changed.
    private func difference(_ image: Image, _ reference: ColorReference) throws -> Int? {
      let stored = try reference.storedImage()
      var largest = 0
      for index in 0..<stored.width {
        guard image.pixels[index * 4 + 3] == stored.pixels[index * 4 + 3] else { return nil }
        for channel in 0..<3 {
          let (one, other) = (image.pixels[index * 4 + channel], reference.sRGB[index * 3 + channel])
          largest = max(largest, abs(Int(one) - Int(other)))
        }
      }
      return largest
    }

    private func isGray(_ reference: ColorReference) -> Bool {
      reference.profile[16..<20].elementsEqual("GRAY".utf8)
    }

    @Test(arguments: ColorReference.all)
    func `colors are equal to the reference`(_ reference: ColorReference) throws {
      let image = try reference.storedImage()
      let file =
        isGray(reference) ? grayPNG(reference.stored, image) : try image.encoded(as: .png)
      let inProfile = colored(png: file, [("iCCP", iccp(reference.profile))])
      #expect(try ImageDecoder().decode(inProfile, options: ImageOptions()).pixels == image.pixels)
      let converted = try decoded(inProfile)
      #expect(converted.colorProfile == nil && converted.warnings.isEmpty)
      #expect(try difference(converted, reference) ?? 255 <= 1)
      #expect(converted != image)
    }

    @Test(
      arguments: [
        ("Display P3", [("cICP", [12, 13, 0, 1])]),
        ("Display P3", [("cHRM", chrm([0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]))]),
        (
          "Adobe RGB",
          [("cHRM", chrm([0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06])), ("gAMA", gama(256 / 563))]
        ),
      ] as [(String, [(String, [UInt8])])])
    func `a PNG that declares primaries is converted`(_ name: String, chunks: [(String, [UInt8])]) throws {
      let reference = try #require(ColorReference.named(name))
      let file = colored(png: try reference.storedImage().encoded(as: .png), chunks)
      #expect(try difference(try decoded(file), reference) ?? 255 <= 1)
    }

    @Test func `a JPEG is converted by its profile`() throws {
      let reference = try #require(ColorReference.named("Adobe RGB"))
      let jpeg = try Image(width: 16, height: 16, pixels: Array(repeating: 153, count: 1_024)).encoded(
        as: .jpeg())
      let stored = try decoded(jpeg)
      let byProfile = try decoded(colored(jpeg: jpeg, app2(reference.profile, size: 200)))
      let byEXIF = try decoded(colored(jpeg: jpeg, [exif(colorSpace: 0xFFFF, index: "R03", bigEndian: true)]))
      #expect(byProfile != stored && byProfile == byEXIF)
      #expect(Set(byProfile.pixels.indices.map { byProfile.pixels[$0] }).count == 2)
    }

    @Test func `sRGB and undeclared colors are not converted`() throws {
      let image = try noise(40, 30, seed: 9, alphas: [0, 1, 128, 255])
      let png = try image.encoded(as: .png)
      let chunks: [[(String, [UInt8])]] = [
        [], [("sRGB", [0])], [("cICP", [1, 13, 0, 1])], [("gAMA", gama(1 / 2.2))],
        [("iCCP", iccp(ICCWriter.rgb(KnownColors.sRGB, KnownColors.sRGBTable).bytes))],
        [("cHRM", chrm([0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06])), ("gAMA", gama(0.45455))],
      ]
      for chunks in chunks { #expect(try decoded(colored(png: png, chunks)) == image, "\(chunks.map(\.0))") }
      let broken = Array(ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBTable).bytes.dropLast(9))
      let ignored = try decoded(colored(png: png, [("iCCP", iccp(broken))]))
      #expect(ignored.pixels == image.pixels && ignored.warnings == [.damagedMetadata])
      #expect(ignored.colorProfile == nil)
      for fixture in PictureFixture.all {
        #expect(try decoded(fixture.bytes) == ImageDecoder().decode(fixture.bytes, options: ImageOptions()))
      }
    }

    @Test func `a reduced image is converted`() throws {
      let reference = try #require(ColorReference.named("Display P3"))
      let flat = try Image(
        width: 50, height: 40, pixels: Array(Array(repeating: [250, 30, 60, 128], count: 2_000).joined()))
      let file = colored(png: try flat.encoded(as: .png), [("iCCP", iccp(reference.profile))])
      let full = try decoded(file)
      for (width, mode) in [(7, ResizeMode.fit), (13, .fill), (20, .exact)] {
        var options = toSRGB
        options.targetSize = PixelSize(width: width, height: width)
        options.mode = mode
        let small = try ImageDecoder().decode(file, options: options)
        #expect(small.width == width && Set((0..<width).map { small[$0, 0] }) == [full[0, 0]])
        #expect(full[0, 0] != flat[0, 0] && full[0, 0].alpha == 128)
      }
    }

    @Test func `the option is part of the key`() {
      #expect(toSRGB != ImageOptions() && !ImageOptions().convertsToSRGB)
    }

    @Test func `colors that cannot be converted are kept, with a warning`() throws {
      let image = try noise(3, 3, seed: 1)
      let hdr = colored(png: try image.encoded(as: .png), [("cICP", [9, 16, 0, 1])])
      let empty = ICCWriter().bytes
      let unusable = colored(png: try image.encoded(as: .png), [("iCCP", iccp(empty))])
      for (file, name) in [(hdr, "Rec. 2100 PQ"), (unusable, "")] {
        let kept = try decoded(file)
        #expect(kept.pixels == image.pixels && kept.warnings == [.unconvertedColors], "\(name)")
        #expect(kept.colorProfile?.name == name, "\(kept.colorProfile as Any)")
        let plain = try ImageDecoder().decode(file, options: ImageOptions())
        #expect(plain.warnings.isEmpty && plain.colorProfile == kept.colorProfile, "\(name)")
        var checked = toSRGB
        checked.discardsPixels = true
        #expect(try ImageDecoder().decode(file, options: checked).warnings.isEmpty, "\(name)")
      }
    }

    @Test func `the working bytes include the profile and the conversion`() throws {
      let plain = try noise(3, 3, seed: 1).encoded(as: .png)
      let profile = ICCWriter.rgb(
        KnownColors.p3, KnownColors.sRGBTable, more: [("junk", Array(repeating: 1, count: 300_000))])
      func needed(_ file: [UInt8], _ options: ImageOptions) throws -> Int {
        try ImageDecoder().workingBytes(for: file, options: options)
      }
      let base = try needed(plain, ImageOptions())
      #expect(try (base + 1..<base + 2 << 20).contains(needed(plain, toSRGB)))
      for file in [
        colored(png: plain, [("iCCP", iccp(profile.bytes))]),
        colored(jpeg: try noise(3, 3, seed: 1).encoded(as: .jpeg()), app2(profile.bytes)),
      ] {
        let base = try needed(file, ImageOptions())
        #expect(base > 300_000)
        #expect(try (base + 2_100_000..<base + 5_000_000).contains(needed(file, toSRGB)))
      }
      // A profile may follow the start of a file.
      #expect(try needed(Array(plain.prefix(40)), toSRGB) > 8 * DeclaredColorSpace.largestProfile)
    }

    @Test(arguments: ColorReference.all)
    func `damaged profiles never crash and always have the same result`(_ reference: ColorReference) throws {
      let image = try noise(9, 7, seed: 5, alphas: [0, 200, 255])
      let png =
        isGray(reference)
        ? grayPNG(Array(repeating: 7, count: 189), image) : try image.encoded(as: .png)
      for seed in 1...60 as ClosedRange<UInt64> {
        var numbers = SplitMix64(seed: seed)
        var icc = reference.profile
        for _ in 0...seed % 6 {
          // Keeps the first 40 bytes, which identify a profile.
          icc[Int.random(in: 40..<min(icc.count, 700), using: &numbers)] =
            [0, 1, 0x7F, 0xFF, 0x80, UInt8(seed)].randomElement(using: &numbers) ?? 0
        }
        let file = colored(png: png, [("iCCP", iccp(icc))])
        let once = try decoded(file)
        #expect(try once == decoded(file), "seed \(seed)")
        for index in stride(from: 3, to: once.pixels.count, by: 4) {
          #expect(once.pixels[index] == image.pixels[index], "seed \(seed)")
        }
      }
    }

    /// Returns a PNG of gray and alpha, with the size and the alpha of `image` and the first channel of
    /// `stored`.
    private func grayPNG(_ stored: [UInt8], _ image: Image) -> [UInt8] {
      var rows: [UInt8] = []
      for y in 0..<image.height {
        rows.append(0)
        for x in 0..<image.width {
          let index = y * image.width + x
          rows += [stored[index * 3], image.pixels[index * 4 + 3]]
        }
      }
      return PNGFile(color: 4, image.width, image.height, rows: rows).bytes
    }
  }
#endif
