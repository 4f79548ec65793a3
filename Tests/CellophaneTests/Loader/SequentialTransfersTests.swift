@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Visible transfers where one saturates the link")
struct SequentialTransfersTests {
  /// A world in which each number takes a second after 100 ms, and 9 never arrives.
  private let world = NumberWorld {
    $0.url.hasSuffix("/9")
      ? .init(after: .seconds(100_000), $0.success())
      : .init(after: .milliseconds(100), pieces: [.init(1, pause: .seconds(1))], $0.success())
  }

  /// Loads `numbers` with `priority`, one after the other.
  private func loadInTurn(_ numbers: some Sequence<Int>, _ priority: Priority) async {
    for number in numbers { _ = try? await world.loader.load(NumberRequest(number, priority: priority)) }
  }

  /// Begins loads of `numbers` at once. Returns the times at which they end, in ms, by number.
  private func endTimes(of numbers: [Int], _ priority: Priority) -> [Int: Int] {
    world.time.run { [world] in
      await loadInTurn(100..<110, priority)
      let start = world.timeline.now
      return await withTaskGroup(of: (Int, Duration).self) { group in
        for number in numbers {
          group.addTask(executorPreference: world.timeline.executor) {
            _ = try? await world.loader.load(NumberRequest(number, priority: priority))
            return (number, world.timeline.now - start)
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = Int(($1.1 / .milliseconds(1)).rounded()) }
      }
    } ?? [:]
  }

  @Test("visible transfers run one by one, and other transfers together")
  func order() {
    let visible = endTimes(of: [1, 2, 3], .visible).values.sorted()
    #expect(visible == [1_100, 2_200, 3_300])
    let normal = endTimes(of: [4, 5, 6], .normal).values.sorted()
    #expect(normal == [1_100, 1_100, 1_100])
  }

  @Test("a transfer that hangs holds the others back for twice the expected time, and then not at all")
  func hangingTransfer() {
    let times = endTimes(of: [9, 1, 2, 3], .visible)
    let others = [1, 2, 3].compactMap { times[$0] }.sorted()
    #expect(others == [3_300, 4_400, 5_500])
  }
}
