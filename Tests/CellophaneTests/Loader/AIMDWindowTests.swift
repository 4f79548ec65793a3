@testable internal import Cellophane
internal import Testing

@Suite("AIMD window of concurrent transfers")
struct AIMDWindowTests {
  @Test("a miss halves the window, an arrival widens it, and it never leaves the link idle")
  func width() {
    var window = AIMDWindow(most: 6)
    #expect(window.transfers(saturating: 2) == 6)
    window.narrow()
    #expect(window.transfers(saturating: 2) == 3)
    for _ in 0..<3 { window.narrow() }
    #expect(window.transfers(saturating: 2) == 2 && window.transfers(saturating: 5) == 5)
    window.widen()
    window.widen()
    window.widen()
    #expect(window.transfers(saturating: 1) == 2)
    for _ in 0..<100 { window.widen() }
    #expect(window.transfers(saturating: 1) == 6)
  }

  @Test("a miss lowers the maximum of a link; only complete bodies for a waiter raise it")
  func links() {
    let origin = Origin(scheme: "http", host: "a", port: 80)
    let links = LinkEstimates(mostAtOnce: 6)
    #expect(links.miss(from: origin, at: .zero) == nil)
    var number = links.expect(from: origin, at: .zero)
    #expect(links.miss(from: origin, at: .zero) == 3)
    #expect(links.miss(from: origin, at: .zero) == 2)
    #expect(links.miss(from: origin, at: .zero) == nil)
    #expect(links.limits(of: origin, at: .zero) == .init(saturating: 2, most: 2))
    for (isWhole, isAwaited, most) in [(false, true, 2), (true, false, 2), (true, true, 6)] {
      for _ in 0..<40 {
        links.begin(number, from: origin, at: .zero)
        links.end(
          number, from: origin, with: .init(bytes: 1, isWhole: isWhole), isAwaited: isAwaited, at: .seconds(1)
        )
        number = links.expect(from: origin, at: .zero)
      }
      #expect(links.limits(of: origin, at: .zero).most == most)
    }
  }

  @Test("a window accepts extreme maximums", arguments: [Int.max, 0, -1])
  func extremeMaximum(most: Int) {
    var window = AIMDWindow(most: most)
    window.widen()
    #expect((1...SaturationEstimator.most).contains(window.transfers(saturating: 1)))
  }

  @Test("running prefetches take no slot of visible work, and none starts while it runs")
  func prefetches() {
    var queue = GateQueue(limits: GateQueue.Limits(total: 16, perOrigin: 6, reserved: 2))
    let origin = Origin(scheme: "http", host: "a", port: 80)
    let prefetches = (0..<3).map { _ in queue.enqueue(origin: origin, priority: .prefetch) }
    queue.limit(origin, to: .init(saturating: 2, most: 2))
    #expect(queue.admit() == prefetches[0] && queue.admit() == prefetches[1] && queue.admit() == nil)
    let works = (0..<3).map { _ in queue.enqueue(origin: origin, priority: .visible) }
    #expect(queue.admit() == works[2] && queue.admit() == works[1] && queue.admit() == nil)
    queue.remove(prefetches[0])
    queue.remove(works[2])
    #expect(queue.admit() == works[0] && queue.admit() == nil)
  }

  @Test("visible work waits under a lower limit and continues under a higher one")
  func visibleWork() {
    var queue = GateQueue(limits: GateQueue.Limits(total: 16, perOrigin: 6, reserved: 2))
    let origin = Origin(scheme: "http", host: "a", port: 80)
    let works = (0..<8).map { _ in queue.enqueue(origin: origin, priority: .visible) }
    queue.limit(origin, to: .init(saturating: 2, most: 2))
    #expect(queue.admit() == works[7] && queue.admit() == works[6] && queue.admit() == nil)
    queue.limit(origin, to: .init(saturating: 2, most: 3))
    #expect(queue.admit() == works[5] && queue.admit() == nil)
    queue.remove(works[7])
    #expect(queue.admit() == works[4] && queue.admit() == nil)
    queue.limit(origin, to: .init(saturating: 2, most: 0))
    for work in works[4...6] { queue.remove(work) }
    #expect(queue.admit() == works[3] && queue.admit() == nil)
  }
}
