internal import Testing

@testable internal import CellophaneTestOrigin

@Suite struct PaceQueueTests {
  private func send<Waiter>(_ queue: inout PaceQueue<Waiter>, _ waiter: Waiter, at now: Duration) -> Bool {
    queue.send(LinkBucket.segment, for: waiter, isContinuous: false, at: now)
  }

  private func due<Waiter>(_ queue: inout PaceQueue<Waiter>, at now: Duration) -> [Waiter] {
    queue.due(at: now)
  }

  @Test func `two connections with more to send share the link piece by piece`() {
    let link = LinkBucket(bitsPerSecond: 1_168_000, roundTrip: .zero)  // one segment in 10 ms
    var queue = PaceQueue<String>(link: link)
    var now = Duration.seconds(1)
    #expect(send(&queue, "a", at: now) == false)
    #expect(send(&queue, "b", at: now) == false)
    var order: [String] = []
    while order.count < 6, let next = queue.next {
      #expect(next - now == .milliseconds(10))
      now = next
      for waiter in queue.due(at: now) {
        order.append(waiter)
        #expect(send(&queue, waiter, at: now) == false)
      }
    }
    #expect(order == ["a", "b", "a", "b", "a", "b"])
  }

  @Test func `timers fire in the order of their due times`() {
    var queue = PaceQueue<Int>(link: nil)
    for (waiter, due) in [(1, 30), (2, 10), (3, 20), (4, 10)] {
      queue.wait(waiter, until: .milliseconds(due))
    }
    #expect(queue.next == .milliseconds(10))
    #expect(due(&queue, at: .milliseconds(9)) == [])
    #expect(due(&queue, at: .milliseconds(20)) == [2, 4, 3])
    #expect(queue.next == .milliseconds(30))
    queue.remove(1)
    #expect(queue.next == nil)
  }

  @Test func `a closed client leaves the queue`() {
    let link = LinkBucket(bitsPerSecond: 1_168_000, roundTrip: .zero)
    var queue = PaceQueue<String>(link: link)
    #expect(send(&queue, "a", at: .zero) == false)
    #expect(send(&queue, "b", at: .zero) == false)
    #expect(send(&queue, "c", at: .zero) == false)
    queue.remove("b")
    #expect(due(&queue, at: .milliseconds(10)) == ["a"])
    #expect(due(&queue, at: .milliseconds(20)) == ["c"])
  }
}
