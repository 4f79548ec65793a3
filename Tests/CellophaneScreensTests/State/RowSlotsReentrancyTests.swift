internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Row slots that are moved by their callbacks, in virtual time")
struct RowSlotsReentrancyTests {
  @Test("a motion from the display callback of an invalidation stays in effect")
  func followingInvalidation() {
    let world = RowWorld()
    world.run(count: 3) { screen in
      await screen.follow(0..<3)
      await world.time.quiescence()
      await screen.rotate(count: 4, size: "large", moves: [.follow(20..<23)])
      #expect(await screen.slots == [0, 1, 2])
      await world.time.quiescence()
      #expect(await screen.visible == ["large 20", "large 21", "large 22"])
      // The two slots that are bound again are not displayed as empty.
      #expect(await screen.notes.count { if case .displayed(_, _, "-") = $0 { true } else { false } } == 1)
      // The reverse: invalidated twice, each slot is displayed as empty once.
      await screen.rotate(count: 2, size: "small", moves: [.invalidate(5)])
      #expect(await screen.count == 5)
      #expect(await screen.notes.count == 3)
      await screen.follow(20..<23)
      await world.time.quiescence()
      #expect(await screen.visible == ["large 20", "large 21", "large 22"])
      #expect(await screen.faults == [])
    }
  }

  @Test("a motion from a callback prefetches from the new position")
  func newestAhead() {
    for callback in RowCallback.allCases {
      let world = RowWorld()
      world.run(ahead: 3) { screen in
        await screen.follow(0..<2, on: [callback], moves: [.follow(20..<22)])
        await world.time.quiescence()
        #expect(await screen.visible == ["small 20", "small 21"], "\(callback)")
      }
      let ahead = Set((20..<25).map { "small \($0)" })
      #expect(ahead.isSubset(of: world.transfers), "\(callback)")
      #expect(world.transfers.isDisjoint(with: (1..<20).map { "small \($0)" }), "\(callback)")
    }
  }

  @Test("the request closure may move the list or invalidate it")
  func requesting() {
    let world = RowWorld()
    world.run { screen in
      // With unchanged rows, each row is asked for its request once.
      await screen.follow(0..<3, on: [.request], moves: Array(repeating: .follow(0..<3), count: 9))
      #expect(await screen.requested.sorted() == [0, 1, 2])
      // Rows that appear, disappear and return are all displayed.
      await screen.follow(10..<13, on: [.request], moves: [.follow(20..<23), .follow(10..<13)])
      await world.time.quiescence()
      #expect(await screen.visible == ["small 10", "small 11", "small 12"])
      // The rows are invalidated while their requests are created.
      await screen.follow(30..<32, on: [.request], moves: [.invalidate(nil, then: 30..<32)])
      await world.time.quiescence()
      #expect(await screen.visible == ["large 30", "large 31"])
      #expect(await screen.faults == [])
    }
  }

  @Test(
    "random moves from callbacks lead to no wrong image and no missing one", .thorough,
    arguments: 0..<300)
  func randomMoves(seed: Int) {
    let world = RowWorld()
    world.run(count: seed % 5, ahead: seed % 3) { screen in
      var random = SplitMix64(seed: seed)
      func range() -> Range<Int> {
        let first = Int.random(in: 0..<20, using: &random)
        return first..<first + Int.random(in: 1..<6, using: &random)
      }
      func move() -> RowMove {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          .invalidate(
            Bool.random(using: &random) ? nil : Int.random(in: 0..<7, using: &random),
            then: Bool.random(using: &random) ? range() : nil)
        case 1: .setNeedsRequests
        default: .follow(range())
        }
      }
      for _ in 0..<30 {
        let moves = (0..<Int.random(in: 0..<4, using: &random)).map { _ in move() }
        let callbacks = Set(RowCallback.allCases.filter { _ in Bool.random(using: &random) })
        if Int.random(in: 0..<8, using: &random) == 0 {
          await screen.rotate(
            count: nil, size: Bool.random(using: &random) ? "small" : "large", moves: moves)
        } else {
          await screen.follow(range(), on: callbacks, moves: moves)
        }
        if Bool.random(using: &random) { await world.time.quiescence() }
      }
      let visible = range()
      await screen.follow(visible)
      await world.time.quiescence()
      let size = await screen.size
      #expect(await screen.visible == visible.map { "\(size) \($0)" }, "seed \(seed)")
      #expect(await screen.faults == [], "seed \(seed)")
    }
    #expect(world.origin.running == 0, "seed \(seed)")
  }
}
