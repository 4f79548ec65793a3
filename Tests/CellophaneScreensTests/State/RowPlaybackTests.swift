internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Animations in rows, in virtual time")
struct RowPlaybackTests {
  @Test("rows that leave the screen are paused, and continue where they were when they return")
  func pausing() {
    let world = LoaderWorld(cacheLimit: nil)
    world.origin.script("*", .ok("still"))
    let counts = world.time.run { () -> [[Int: Int]] in
      let screen = ClockScreen(ResourceLoader(bytes: world.bytes, decoder: ClockDecoder()))
      var counts: [[Int: Int]] = []
      for visible in [0..<2, 2..<4, 1..<3] {
        await screen.follow(visible)
        try? await world.timeline.sleep(for: .seconds(10))
        counts.append(await screen.newest)
      }
      return counts
    }
    // The first value comes at once, and the next ones once a second. A row that returns shows the next one at once.
    #expect(counts == [[0: 10, 1: 10], [0: 10, 1: 10, 2: 10, 3: 10], [0: 10, 1: 21, 2: 20, 3: 10]])
  }
}

/// A decoder of values that count the seconds.
private struct ClockDecoder: ResourceDecoder {
  func decode(_ bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int { 0 }
  func workingBytes(for bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int { 1 }
  func cost(of value: Int) -> Int { 8 }

  func playback(
    of value: Int, on timeline: Timeline
  ) -> (any AsyncSequence<Int, LoadError> & Sendable)? { Seconds(timeline: timeline) }
}

private struct Seconds: AsyncSequence, Sendable {
  let timeline: Timeline

  func makeAsyncIterator() -> Iterator { Iterator(timeline: timeline) }

  struct Iterator: AsyncIteratorProtocol {
    let timeline: Timeline
    var count = 0

    mutating func next() async throws(LoadError) -> Int? { try await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(LoadError) -> Int? {
      do { if count > 0 { try await timeline.sleep(for: .milliseconds(999)) } } catch { throw .cancelled }
      defer { count += 1 }
      return count
    }
  }
}

/// A screen that keeps the newest value of each row.
private actor ClockScreen {
  private var rows: RowSlots<ClockDecoder>?
  private let values = Shared<[Int: Int]>([:])
  var newest: [Int: Int] { values.value }

  init(_ loader: ResourceLoader<ClockDecoder>) {
    rows = RowSlots(loader, count: 4, policy: RowsAhead(count: 0)) { [values] _, row, state in
      if case .shown(let value, _) = state { values.update { $0[row] = value } }
    }
  }

  func follow(_ visible: Range<Int>) {
    let layout = EvenRows(count: 10, height: 100)
    let motion = ListMotion(layout, viewport: 200, offset: Double(visible.lowerBound) * 100)
    rows?.follow(motion) { row in
      try? Request("http://h/\(row)", options: NoOptions())
    }
  }
}
