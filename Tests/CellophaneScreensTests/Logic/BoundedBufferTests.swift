internal import Cellophane
@testable internal import CellophaneScreens
internal import Testing

@Suite("A bounded buffer")
struct BoundedBufferTests {
  private func dropped(_ offer: BoundedBuffer<Int>.Offer) -> Int? {
    if case .dropped(let element) = offer { element } else { nil }
  }

  @Test("the overflow rule drops the oldest element, the newest or none")
  func rules() {
    for (rule, droppedFirst, rest) in [
      (BufferOverflow.dropOldest, 1, [2, 3]), (.dropNewest, 3, [1, 2]), (.suspend, nil, [1, 2]),
    ] {
      var buffer = BoundedBuffer<Int>(capacity: 2, overflow: rule)
      let offers = [1, 2, 3].map { dropped(buffer.offer($0)) }
      #expect(offers == [nil, nil, droppedFirst])
      #expect(buffer.count == 2 && buffer.dropped == (rule == .suspend ? 0 : 1))
      let taken = (0..<3).map { _ in buffer.take()?.element }
      #expect(taken == rest + [nil])
    }
  }

  @Test("waiting senders are admitted in order, and may leave before")
  func waiting() {
    var buffer = BoundedBuffer<Int>(capacity: 1, overflow: .suspend)
    _ = buffer.offer(0)
    let senders = (1...3).map { buffer.wait($0) }
    #expect(buffer.count == 1)
    let left = [buffer.leave(senders[1]), buffer.leave(senders[1])]
    #expect(left == [true, false])
    var (element, admitted) = buffer.take() ?? (-1, nil)
    #expect((element, admitted) == (0, senders[0]))
    let hasLeft = buffer.leave(senders[0])
    #expect(!hasLeft, "the element is already in the buffer")
    (element, admitted) = buffer.take() ?? (-1, nil)
    #expect((element, admitted) == (1, senders[2]))
    (element, admitted) = buffer.take() ?? (-1, nil)
    #expect(element == 3 && admitted == nil)
    let nothing = buffer.take()
    #expect(nothing == nil && buffer.dropped == 0)
  }

  /// Compares random operations with an array.
  @Test("random operations match a model", arguments: 0..<1_000)
  func random(seed: Int) {
    var random = SplitMix64(seed: seed)
    let capacity = seed % 20 == 0 ? .max : Int.random(in: 0...4, using: &random)
    let room = max(1, capacity)
    let rule = BufferOverflow.allCases[seed % 3]
    var buffer = BoundedBuffer<Int>(capacity: capacity, overflow: rule)
    var model: [(element: Int, sender: UInt64?)] = []
    var dropped = 0
    for element in 0..<60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4:
        let offer = buffer.offer(element)
        if model.count < room {
          model.append((element, nil))
        } else if rule == .dropOldest {
          #expect(self.dropped(offer) == model.removeFirst().element, "seed \(seed)")
          model.append((element, nil))
          dropped += 1
        } else if rule == .dropNewest {
          #expect(self.dropped(offer) == element, "seed \(seed)")
          dropped += 1
        } else {
          model.append((element, buffer.wait(element)))
        }
      case 4..<7:
        let taken = buffer.take()
        let expected = model.isEmpty ? nil : model.removeFirst()
        #expect(taken?.element == expected?.element, "seed \(seed)")
        #expect(
          taken?.admitted == (expected != nil && model.count >= room ? model[room - 1].sender : nil),
          "seed \(seed)")
      default:
        guard let index = model.indices.randomElement(using: &random), let sender = model[index].sender else {
          break
        }
        let hasLeft = buffer.leave(sender)
        #expect(hasLeft == (index >= room), "seed \(seed)")
        if index >= room { model.remove(at: index) }
      }
      #expect(buffer.count == min(room, model.count) && buffer.dropped == dropped, "seed \(seed)")
    }
    buffer.removeAll()
    #expect(buffer.count == 0 && buffer.dropped == dropped + model.count, "seed \(seed)")
  }
}
