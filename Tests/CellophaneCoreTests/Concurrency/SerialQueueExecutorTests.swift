@testable internal import CellophaneCore
internal import Synchronization
internal import Testing

@Suite("Serial queue executor", .timeLimit(.minutes(1)))
struct SerialQueueExecutorTests {
  private actor Log {
    private nonisolated let executor = SerialQueueExecutor(label: "cellophane.test")
    private nonisolated let isInside = Atomic(false)
    private(set) var last: [Int: Int] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Records `number`. Returns whether no other call was running and `number` is the next of its sender.
    func note(_ number: Int, from sender: Int) -> Bool {
      let wasInside = isInside.exchange(true, ordering: .relaxed)
      defer { isInside.store(false, ordering: .relaxed) }
      preconditionIsolated()
      let isNext = last[sender, default: -1] == number - 1
      last[sender] = number
      return isNext && !wasInside
    }
  }

  @Test("jobs of all senders run one at a time and in the order of each sender", arguments: [1, 2, 16])
  func runsAll(senders: Int) async {
    let log = Log()
    let count = 3_000
    await withTaskGroup(of: Bool.self) { group in
      for sender in 0..<senders {
        group.addTask {
          for number in 0..<count {
            guard await log.note(number, from: sender) else { return false }
            // Sometimes the executor's thread goes to sleep in between.
            if number.isMultiple(of: 50) { for _ in 0..<100 { await Task.yield() } }
          }
          return true
        }
        for number in 0..<100 {
          group.addTask {
            _ = await log.note(number, from: -1 - sender)
            return true
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    let last = await log.last
    #expect(last.count == 2 * senders)
    #expect((0..<senders).allSatisfy { last[$0] == count - 1 })
  }
}
