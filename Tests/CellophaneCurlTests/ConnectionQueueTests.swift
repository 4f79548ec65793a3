internal import Testing

@testable internal import CellophaneCurl

@Suite("Queue for connections")
struct ConnectionQueueTests {
  /// Returns a queue with `orphans` orphaned handshakes and no requests.
  private func queue(orphans: Int, limit: Int? = nil) -> ConnectionQueue<Int> {
    var queue = ConnectionQueue<Int>(limit: limit)
    for _ in 0..<orphans {
      let isKept = queue.addOrphan()
      #expect(isKept)
    }
    return queue
  }

  @Test("each waiting request claims one orphaned handshake")
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

  /// The arguments are the limit of connections and the maximum of orphaned handshakes.
  @Test(
    "the limit of connections bounds the orphaned handshakes",
    arguments: [(nil, 6), (1, 1), (9, 9)] as [(Int?, Int)])
  func bound(limit: Int?, maximum: Int) {
    var queue = queue(orphans: maximum, limit: limit)
    let isKept = queue.addOrphan()
    #expect(!isKept && queue.orphans == maximum)
  }

  @Test("a free connection goes to the first request that waits or connects")
  func order() {
    var queue = queue(orphans: 2)
    queue.join(1, .connect)
    queue.join(2, .wait)
    queue.join(3, .connect)
    queue.join(4, .wait)
    #expect(queue.count == 4)
    #expect(queue.first { _ in true } == 1)
    // A request is skipped if libcurl has not started its handshakes, or has already sent it.
    #expect(queue.first { $0 != 1 } == 2)
    queue.leave(2)
    #expect(queue.first { $0 == 3 } == 3)
    #expect(queue.first { _ in false } == 4)
    queue.connect(4)
    #expect(queue.first { _ in false } == nil)
  }

  @Test("after an orphaned handshake fails, the first waiting request connects")
  func failures() {
    var queue = queue(orphans: 2)
    queue.join(1, .wait)
    queue.join(2, .wait)
    #expect(queue.nextToConnect() == nil)
    queue.removeOrphan()
    let next = [queue.nextToConnect(), queue.nextToConnect()]
    #expect(next == [1, nil])
    // It keeps its position in the queue.
    #expect(queue.first { _ in true } == 1)
  }
}
