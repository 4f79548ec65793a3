internal import AsyncAlgorithms
internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneScreens/CellophaneScreens.docc/MovingStepByStep.md that imports swift-async-algorithms.

/// The texts to search for: unchanged for 300 ms, and different from the previous one.
func searches(_ texts: AsyncStream<String>, on timeline: Timeline) -> some AsyncSequence<String, Never> {
  texts.debounce(for: .milliseconds(300), on: timeline).removeDuplicates()
}

/// The top row, at most ten times a second, and only when it changes.
func topRows(
  _ offsets: AsyncStream<Double>, height: Double, on timeline: Timeline
) -> some AsyncSequence<Int, Never> {
  offsets.throttle(for: .milliseconds(100), on: timeline).map { Int($0 / height) }.removeDuplicates()
}

@Suite("Input without duplicates, in virtual time")
struct InputSnippetTests {
  /// A stream of elements, each with its delay after the previous one in milliseconds.
  private func stream<Element: Sendable>(
    _ elements: [(after: Int, Element)], on timeline: Timeline
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    timeline.spawn {
      for (pause, element) in elements {
        try? await timeline.sleep(for: .milliseconds(pause))
        continuation.yield(element)
      }
      continuation.finish()
    }
    return stream
  }

  @Test("a text is searched for when it is stable, and not twice in a row")
  func texts() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let found = time.run {
      let texts = stream(
        [(0, "H"), (100, "He"), (400, "Hel"), (100, "He"), (400, "Help"), (400, "He")], on: timeline)
      return await Array(searches(texts, on: timeline))
    }
    #expect(found == ["He", "Help", "He"])
  }

  @Test("a scrolled list reports its rows")
  func rows() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let found = time.run {
      let offsets = stream((0..<20).map { (10, Double($0) * 12) }, on: timeline)
      return await Array(topRows(offsets, height: 100, on: timeline))
    }
    #expect(found == [0, 1, 2])
  }
}
