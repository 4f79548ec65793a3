internal import Testing

@testable internal import Cellophane

@Suite("Who waits takes whichever connection is free first")
struct ConnectionQueueTests {
  /// A queue that was left by as many requests as make connections for nobody now.
  private func queue(orphans: Int, limit: Int? = nil) -> ConnectionQueue<Int> {
    var queue = ConnectionQueue<Int>(limit: limit)
    for _ in 0..<orphans {
      let isKept = queue.addOrphan()
      #expect(isKept)
    }
    return queue
  }

  @Test("a connection that nobody wants is worth waiting for, once")
  func claims() {
    var queue = queue(orphans: 1)
    #expect(queue.hasUnclaimedOrphan)
    queue.join(1, .wait)
    #expect(!queue.hasUnclaimedOrphan)
    queue.leave(1)
    #expect(queue.hasUnclaimedOrphan && queue.orphans == 1)
    queue.removeOrphan()
    #expect(queue.isEmpty)
  }

  /// The limit of connections, and how many are made for nobody at most.
  @Test(
    "no more are made for nobody than may be open", arguments: [(nil, 6), (1, 1), (9, 9)] as [(Int?, Int)])
  func bound(limit: Int?, most: Int) {
    var queue = queue(orphans: most, limit: limit)
    let isKept = queue.addOrphan()
    #expect(!isKept && queue.orphans == most)
  }

  @Test("first come, first served, whether one waits or makes one")
  func order() {
    var queue = queue(orphans: 2)
    queue.join(1, .connect)
    queue.join(2, .wait)
    queue.join(3, .connect)
    queue.join(4, .wait)
    #expect(queue.count == 4)
    #expect(queue.first { _ in true } == 1)
    // One that libcurl has not begun, or whose request is sent, moves no more.
    #expect(queue.first { $0 != 1 } == 2)
    queue.leave(2)
    #expect(queue.first { $0 == 3 } == 3)
    #expect(queue.first { _ in false } == 4)
    queue.connect(4)
    #expect(queue.first { _ in false } == nil)
  }

  @Test("when a connection fails that was made for nobody, the first who waits makes one")
  func failures() {
    var queue = queue(orphans: 2)
    queue.join(1, .wait)
    queue.join(2, .wait)
    #expect(queue.nextToConnect() == nil)
    queue.removeOrphan()
    let next = [queue.nextToConnect(), queue.nextToConnect()]
    #expect(next == [1, nil])
    // It has its place in the line still.
    #expect(queue.first { _ in true } == 1)
  }
}
