internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Slots for rows, moved while somebody is told or asked something, in virtual time")
struct RowSlotsReentryTests {
  @Test("what is followed when a slot is told that it was given back stays")
  func followingInvalidation() {
    let world = RowWorld()
    world.run(count: 3) { screen in
      await screen.follow(0..<3)
      await world.time.quiescence()
      await screen.turn(count: 4, size: "large", moves: [.follow(20..<23)])
      #expect(await screen.slots == [0, 1, 2])
      await world.time.quiescence()
      #expect(await screen.visible == ["large 20", "large 21", "large 22"])
      // The two that are bound anew need not hear that they were emptied.
      #expect(await screen.notes.count { if case .displayed(_, _, "-") = $0 { true } else { false } } == 1)
      // And the other way: given back twice, each slot once.
      await screen.turn(count: 2, size: "small", moves: [.invalidate(5)])
      #expect(await screen.count == 5)
      #expect(await screen.notes.count == 3)
      await screen.follow(20..<23)
      await world.time.quiescence()
      #expect(await screen.visible == ["large 20", "large 21", "large 22"])
      #expect(await screen.faults == [])
    }
  }

  @Test("a list that is moved while it is told something loads ahead of where it is then")
  func newestAhead() {
    for occasion in RowOccasion.allCases {
      let world = RowWorld()
      world.run(ahead: 3) { screen in
        await screen.follow(0..<2, on: [occasion], moves: [.follow(20..<22)])
        await world.time.quiescence()
        #expect(await screen.visible == ["small 20", "small 21"], "\(occasion)")
      }
      let ahead = Set((20..<25).map { "small \($0)" })
      #expect(ahead.isSubset(of: world.transfers.value), "\(occasion)")
      #expect(world.transfers.value.isDisjoint(with: (1..<20).map { "small \($0)" }), "\(occasion)")
    }
  }

  @Test("rows that are asked what they ask for may move the list, or give it back")
  func asking() {
    let world = RowWorld()
    world.run { screen in
      // The list as it is, over and over: each row is asked once.
      await screen.follow(0..<3, on: [.request], moves: Array(repeating: .follow(0..<3), count: 9))
      #expect(await screen.asked.sorted() == [0, 1, 2])
      // Rows that came in, then others, and back: nothing is left out.
      await screen.follow(10..<13, on: [.request], moves: [.follow(20..<23), .follow(10..<13)])
      await world.time.quiescence()
      #expect(await screen.visible == ["small 10", "small 11", "small 12"])
      // The row means something else by the time that its request is there.
      await screen.follow(30..<32, on: [.request], moves: [.invalidate(nil, then: 30..<32)])
      await world.time.quiescence()
      #expect(await screen.visible == ["large 30", "large 31"])
      #expect(await screen.faults == [])
    }
  }

  @Test(
    "whoever moves the list or gives it back while he is told or asked something sees no wrong picture, and each that is visible",
    arguments: 0..<300)
  func jumping(seed: Int) {
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
        case 1: .news
        default: .follow(range())
        }
      }
      for _ in 0..<30 {
        let moves = (0..<Int.random(in: 0..<4, using: &random)).map { _ in move() }
        let occasions = Set(RowOccasion.allCases.filter { _ in Bool.random(using: &random) })
        if Int.random(in: 0..<8, using: &random) == 0 {
          await screen.turn(
            count: nil, size: Bool.random(using: &random) ? "small" : "large", moves: moves)
        } else {
          await screen.follow(range(), on: occasions, moves: moves)
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
    #expect(world.transport.running == 0, "seed \(seed)")
  }
}
