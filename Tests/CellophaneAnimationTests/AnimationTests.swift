#if GIF && WebP
  internal import Cellophane
  internal import CellophaneGIF
  internal import CellophaneWebP
  internal import Foundation
  internal import TestSupport
  internal import Testing

  /// Decodes every file of the corpus, which `Scripts/make-animation-corpus.py` writes, and compares the frames with the table.
  @Suite struct AnimationTests {
    private let corpus = AnimationCorpus()
    private let decoder = ImageDecoder(codecs: [.png, .jpeg, .gif, .webP])

    private func animation(_ file: String, _ options: ImageOptions = ImageOptions()) throws -> AnimatedImage {
      try #require(try AnimatedImage(corpus.bytes(of: file), options: options, decoder: decoder))
    }

    /// Returns the hash in the form of the table.
    private func hash(of image: Image) -> String {
      let text = String(fnv1a(image.pixels), radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.count) + text
    }

    @Test func `the corpus is complete, and Pillow composes most of it alike`() {
      #expect(corpus.files.count >= 25)
      #expect(corpus.files.count { $0.pillow } >= 20)
    }

    @Test func `every frame is composed by the rules of the format, and the first follows the last`() throws {
      for file in corpus.files {
        let animation = try animation(file.file)
        #expect(animation.playCount == file.plays, "\(file.file)")
        #expect(animation.size == PixelSize(width: corpus.width, height: corpus.height))
        var frames = animation.makeFrames()
        for round in 0..<2 {
          for (index, expected) in file.frames.enumerated() {
            #expect(frames.index == index)
            let image = try frames.next()
            #expect(hash(of: image) == expected, "\(file.file), frame \(index), round \(round)")
          }
        }
      }
    }

    @Test func `delays below 11 ms are 100 ms`() throws {
      for file in corpus.files {
        let expected = file.delays.map { Duration.milliseconds($0 < 11 ? 100 : $0) }
        #expect(try animation(file.file).delays == expected, "\(file.file)")
      }
    }

    @Test func `each frame is processed, in one step or in two`() throws {
      let plain = ImageOptions(targetSize: PixelSize(width: 20, height: 10))
      var (base, options) = (plain, plain)
      base.processors = [.blur(radius: 2)]
      options.processors = [.blur(radius: 2), .circle]
      let playable = AnimatedImageDecoder(images: decoder)
      let bytes = try corpus.bytes(of: "mixed.png")
      let step = try #require(playable.derivation(options: options))
      #expect(step.base == base)
      let whole = try playable.decode(bytes, options: options)
      let stepped = try step.derive(playable.decode(bytes, options: base))
      #expect(whole.image == stepped.image)
      for animation in [whole.animation, stepped.animation] {
        var frames = try #require(animation).makeFrames()
        var unprocessed = try self.animation("mixed.png", plain).makeFrames()
        for _ in 0..<5 {
          let expected = try unprocessed.next().processed(by: options.processors)
          let frame = try frames.next()
          #expect(frame == expected)
        }
      }
    }

    @Test func `a frame that was cancelled is returned by the next call`() async throws {
      var options = ImageOptions()
      options.processors = [.blur(radius: 2)]
      let animation = try animation("mixed.png", options)
      var reference = animation.makeFrames()
      let expected = try (0..<2).map { _ in try reference.next() }
      let frames = try await Task {
        var frames = animation.makeFrames()
        let first = try frames.next()
        #expect(first == expected[0])
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        for _ in 0..<3 {
          let image = try? frames.next()
          #expect(image == nil && frames.index == 1)
        }
        return frames
      }.value
      var rest = frames
      let second = try rest.next()
      #expect(second == expected[1] && rest.index == 2)
    }

    @Test func `frames have the size of the options`() throws {
      for mode in ResizeMode.allCases {
        let options = ImageOptions(targetSize: PixelSize(width: 20, height: 10), mode: mode)
        let (whole, small) = (try animation("mixed.png"), try animation("mixed.png", options))
        var (frames, resized) = (whole.makeFrames(), small.makeFrames())
        for _ in 0..<whole.frameCount {
          let expected = try decoder.decode(frames.next().encoded(as: .png), options: options)
          let image = try resized.next()
          #expect(image.pixels == expected.pixels && image.width == expected.width)
        }
      }
    }

    @Test func `a still image is no animation`() throws {
      let still = try noise(9, 9, seed: 1).encoded(as: .png)
      #expect(try AnimatedImage(still, options: ImageOptions(), decoder: decoder) == nil)
      #expect(
        try !decoder.header(of: still).isAnimated
          && decoder.header(of: corpus.bytes(of: "keep.png")).isAnimated)
    }

    @Test(arguments: [("keep.png", 60), ("keep.gif", 200), ("keep.webp", 200)])
    func `damage in a frame is an error of this frame, and the next call tries it again`(
      file: String, distance: Int
    ) throws {
      var bytes = try corpus.bytes(of: file)
      // Within the pixels of a late frame.
      for index in bytes.count - distance..<bytes.count - distance / 4 * 3 { bytes[index] ^= 0xFF }
      let animation = try #require(try AnimatedImage(bytes, options: ImageOptions(), decoder: decoder))
      var frames = animation.makeFrames()
      let table = try #require(corpus.files.first { $0.file == file })
      #expect(hash(of: try frames.next()) == table.frames[0])
      var failures = 0
      for _ in 1..<animation.frameCount where failures == 0 {
        let index = frames.index
        do { _ = try frames.next() } catch {
          failures += 1
          #expect([.corrupt, .truncated].contains(error.kind) && frames.index == index, "\(error)")
          #expect(throws: LoadError.self) { try frames.next() }
        }
      }
      #expect(failures == 1)
    }

    @Test func `every cut of a file gives an animation, a still image or an error`() throws {
      for file in ["mixed.png", "mixed.gif", "clear.webp"] {
        let bytes = try corpus.bytes(of: file)
        for count in stride(from: 0, to: bytes.count, by: 7) {
          do {
            let cut = Array(bytes[..<count])
            guard let animation = try AnimatedImage(cut, options: ImageOptions(), decoder: decoder) else {
              continue
            }
            var frames = animation.makeFrames()
            for _ in 0..<animation.frameCount { _ = try frames.next() }
          } catch { #expect([.truncated, .corrupt].contains(error.kind), "\(file), \(count): \(error)") }
        }
      }
    }

    @Test func `a second header, a frame without pixels and a canvas without size are no crash`() throws {
      var file = try corpus.bytes(of: "keep.png")
      // An empty IHDR after the first one, with its checksum.
      file.insert(contentsOf: [0, 0, 0, 0, 0x49, 0x48, 0x44, 0x52, 0xA8, 0xA1, 0xAE, 0x0A], at: 33)
      if let animation = try AnimatedImage(file, options: ImageOptions(), decoder: decoder) {
        var frames = animation.makeFrames()
        for _ in 0..<animation.frameCount { _ = try? frames.next() }
      }
      // Neither the canvas nor the first frame has a size.
      var empty = try corpus.bytes(of: "once.gif")
      let descriptor = try #require(empty.firstIndex(of: 0x2C))
      empty.replaceSubrange(6..<10, with: [0, 0, 0, 0])
      empty.replaceSubrange(descriptor + 1..<descriptor + 9, with: Array(repeating: 0, count: 8))
      let options = ImageOptions(targetSize: PixelSize(width: 9, height: 9), enlarges: true)
      let error = #expect(throws: LoadError.self) { try decoder.decode(empty, options: options) }
      #expect(error?.kind == .corrupt)
      // The second frame is outside of the canvas.
      var outside = try corpus.bytes(of: "beyond.gif")
      outside.replaceSubrange(6..<10, with: [10, 0, 10, 0])
      let animation = try #require(try AnimatedImage(outside, options: ImageOptions(), decoder: decoder))
      var frames = animation.makeFrames()
      let (first, second) = (try frames.next(), try frames.next())
      #expect(first == second && first.width == 10)
    }

    @Test func `the frames before a cut are played, and a damaged animation is a still image`() throws {
      for file in ["keep.gif", "keep.webp"] {
        let bytes = try corpus.bytes(of: file)
        let table = try #require(corpus.files.first { $0.file == file })
        let cut = Array(bytes[..<(bytes.count - 60)])
        let animation = try #require(try AnimatedImage(cut, options: ImageOptions(), decoder: decoder))
        #expect(animation.frameCount == 4)
        var frames = animation.makeFrames()
        for index in 0..<4 { #expect(hash(of: try frames.next()) == table.frames[index]) }
      }
      // A frame of a PNG that exceeds the canvas: the width in IHDR is smaller, with its checksum.
      var narrow = try corpus.bytes(of: "hidden.png")
      narrow.replaceSubrange(
        8..<33,
        with: [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 9, 0, 0, 0, 30, 8, 6, 0, 0, 0, 0, 0, 0, 0])
      #expect(try AnimatedImage(narrow, options: ImageOptions(), decoder: decoder) == nil)
    }

    @Test func `the product of pixels and frames is limited`() throws {
      // 5 frames on a canvas of 9000x9000: 405 million pixels are allowed; 60 times as many are not.
      var bytes = try corpus.bytes(of: "once.gif")
      bytes.replaceSubrange(6..<10, with: [0x28, 0x23, 0x28, 0x23])
      #expect(try AnimatedImage(bytes, options: ImageOptions(), decoder: decoder)?.frameCount == 5)
      let frames = bytes[13..<bytes.count - 1]
      let many = Array(bytes[..<13]) + Array(repeating: frames, count: 60).flatMap { $0 } + [0x3B]
      let error = #expect(throws: LoadError.self) {
        try AnimatedImage(many, options: ImageOptions(), decoder: decoder)
      }
      #expect(error?.kind == .imageTooLarge && error?.message.contains("300 frames of 9000x9000") == true)
    }
  }
#endif
