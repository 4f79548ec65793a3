#if GIF && WebP
  internal import Cellophane
  internal import CellophaneGIF
  internal import CellophaneTesting
  internal import Synchronization
  internal import TestSupport
  internal import Testing

  @Suite struct PlaybackTests {
    private static let decoder = ImageDecoder(codecs: [.png, .jpeg, .gif])

    private func animation(_ file: String) throws -> AnimatedImage {
      try #require(
        try AnimatedImage(AnimationCorpus().bytes(of: file), options: ImageOptions(), decoder: Self.decoder))
    }

    private final class Tally: Sendable {
      let late = Mutex(0), peak = Mutex(0), frames = Mutex(0)
      let failure = Mutex<LoadError.Kind?>(nil)
    }

    /// The index and the time of each frame of an iteration.
    private struct Shown: Equatable {
      let index: Int
      let time: Duration
    }

    /// Returns the first `count` frames of a playback in virtual time. The loop takes `busy` for each frame.
    private func played(
      _ playback: AnimationPlayback, _ time: VirtualTime, count: Int, busy: Duration = .zero
    ) -> [Shown]? {
      let timeline = time.timeline()
      return time.run {
        var shown: [Shown] = []
        let iterator = playback.makeAsyncIterator()
        var frames = iterator
        while shown.count < count, let frame = try? await frames.next() {
          shown.append(Shown(index: frame.index, time: timeline.now))
          try? await timeline.sleep(for: busy)
        }
        return shown
      }
    }

    @Test func `frames have the times of the file, and repeat`() throws {
      let time = VirtualTime()
      let playback = AnimationPlayback(try animation("mixed.gif"), timeline: time.timeline())
      // The delays are 80, 0, 10, 20 and 1000 ms.
      let starts = [0, 80, 180, 280, 300, 1_300, 1_380, 1_480]
      let expected = starts.enumerated().map { Shown(index: $0.offset % 5, time: .milliseconds($0.element)) }
      #expect(played(playback, time, count: 8) == expected)
    }

    @Test(arguments: [("once.gif", 5), ("thrice.gif", 15)])
    func `an animation ends after its number of plays`(file: String, count: Int) throws {
      let time = VirtualTime()
      let pool = AnimationPool(limit: 1 << 20)
      let playback = AnimationPlayback(try animation(file), pool: pool, timeline: time.timeline())
      #expect(played(playback, time, count: 100)?.count == count)
      #expect(pool.usedBytes == 0)
    }

    @Test func `a loop that is late delays the animation, and skips no frame`() throws {
      let time = VirtualTime()
      let playback = AnimationPlayback(try animation("mixed.gif"), timeline: time.timeline())
      let shown = try #require(played(playback, time, count: 12, busy: .milliseconds(300)))
      #expect(shown.map(\.index) == (0..<12).map { $0 % 5 })
      #expect(shown.prefix(5).map(\.time) == [0, 300, 600, 900, 1_200].map { .milliseconds($0) })
      #expect(shown[5].time == .milliseconds(2_200))
    }

    @Test func `with reduced motion, and in a full pool, only the first frame is shown`() throws {
      let time = VirtualTime()
      let animation = try animation("mixed.gif")
      // A canvas, its copy, and four frames of 40x30 pixels.
      let bytes = 6 * 40 * 30 * 4
      for (limit, reducesMotion, count) in [(bytes, false, 7), (bytes - 1, false, 1), (bytes, true, 1)] {
        let pool = AnimationPool(limit: limit)
        let playback = AnimationPlayback(
          animation, pool: pool, timeline: time.timeline(), reducesMotion: reducesMotion)
        #expect(played(playback, time, count: 7)?.count == count)
        #expect(pool.usedBytes == 0)
      }
    }

    @Test func `a cancelled loop ends and returns its memory`() throws {
      let time = VirtualTime()
      let pool = AnimationPool(limit: 1 << 20)
      let playback = AnimationPlayback(try animation("mixed.gif"), pool: pool, timeline: time.timeline())
      let timeline = time.timeline()
      let result = time.run { () -> [LoadError.Kind?] in
        let tally = Tally()
        let task = timeline.spawn {
          do { for try await _ in playback {} } catch {
            tally.failure.withLock { $0 = (error as? LoadError)?.kind }
          }
        }
        try? await timeline.sleep(for: .milliseconds(500))
        task.cancel()
        await task.value
        return [tally.failure.withLock(\.self)]
      }
      #expect(result == [.cancelled] && pool.usedBytes == 0)
    }

    @Test func `a hundred cells play for a minute within the pool, each frame at its time`() throws {
      let time = VirtualTime()
      let pool = AnimationPool(limit: 60 * 6 * 40 * 30 * 4)
      let animation = try animation("mixed.gif")
      let timeline = time.timeline()
      let tally = Tally()
      for cell in 0..<100 {
        timeline.spawn {
          // Cells enter and leave the screen.
          for _ in 0..<20 {
            let start = timeline.now
            var expected = Duration.zero
            var iterator = AnimationPlayback(animation, pool: pool, timeline: timeline).makeAsyncIterator()
            while timeline.now - start < .seconds(3), let frame = try? await iterator.next() {
              if timeline.now - start != expected { tally.late.withLock { $0 += 1 } }
              expected += animation.delays[frame.index]
              tally.frames.withLock { $0 += 1 }
              tally.peak.withLock { $0 = max($0, pool.usedBytes) }
            }
            try? await timeline.sleep(for: .milliseconds(10 * cell))
          }
        }
      }
      time.run()
      #expect(tally.late.withLock(\.self) == 0 && tally.frames.withLock(\.self) > 10_000)
      #expect(tally.peak.withLock(\.self) <= 60 * 6 * 40 * 30 * 4 && pool.usedBytes == 0)
    }

    @Test func `the loader caches an animation, whose cost has its file`() throws {
      let decoder = AnimatedImageDecoder(images: Self.decoder)
      let file = try AnimationCorpus().bytes(of: "mixed.gif")
      let value = try decoder.decode(file, options: ImageOptions())
      #expect(value.animation?.frameCount == 5)
      #expect(decoder.cost(of: value) == 40 * 30 * 4 + file.count)
      let still = try noise(9, 9, seed: 1).encoded(as: .png)
      let plain = try decoder.decode(still, options: ImageOptions())
      #expect(
        try plain.animation == nil && plain.image == Self.decoder.decode(still, options: ImageOptions()))
      #expect(
        try decoder.workingBytes(for: file, options: ImageOptions())
          >= Self.decoder.workingBytes(for: file, options: ImageOptions()) + 40 * 30 * 8)
    }
  }
#endif
