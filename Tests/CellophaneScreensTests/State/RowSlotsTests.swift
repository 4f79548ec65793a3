internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Row slots with images, in virtual time")
struct RowSlotsTests {
  @Test("the row of a slot is reported before a state is displayed for it")
  func binding() {
    let world = RowWorld()
    let notes = world.run { screen in
      await screen.follow(0..<2)
      await world.time.quiescence()
      await screen.follow(1..<3)
      await world.time.quiescence()
      await screen.follow(0..<2)
      return await screen.notes
    }
    #expect(
      notes == [
        .bound(0, row: 0), .displayed(0, row: 0, "loading"), .bound(1, row: 1),
        .displayed(1, row: 1, "loading"), .displayed(0, row: 0, "small 0"), .displayed(1, row: 1, "small 1"),
        .bound(0, row: 2), .displayed(0, row: 2, "loading"), .displayed(0, row: 2, "small 2"),
        .bound(0, row: 0), .displayed(0, row: 0, "small 0"),
      ])
  }

  @Test("each slot is used once before any is reused, and more are created when they are needed")
  func fixed() {
    let slots = RowWorld().run(count: 4) { screen in
      var slots: [[Int?]] = []
      for visible in [0..<3, 1..<4, 0..<3, 3..<6, 3..<8] {
        await screen.follow(visible)
        slots.append(await screen.slots)
        #expect(await screen.count == max(4, visible.count))
      }
      return slots
    }
    #expect(slots == [[0, 1, 2], [1, 2, 3], [0, 1, 2], [3, 0, 1], [3, 0, 1, 2, 4]])
  }

  @Test("a negative number of slots counts as zero")
  func negative() {
    let counts = RowWorld().run(count: -1) { screen in
      var counts = [await screen.count]
      await screen.follow(0..<2)
      counts.append(await screen.count)
      await screen.rotate(count: -5, size: "large")
      counts.append(await screen.count)
      return counts
    }
    #expect(counts == [0, 2, 0])
  }

  @Test("a rotation unbinds all slots, cancels their loads and sets the new number of slots")
  func rotating() {
    let world = RowWorld()
    world.run(count: 7) { screen in
      await screen.follow(0..<3)
      await world.time.quiescence()
      await screen.follow(0..<6)
      try? await world.timeline.sleep(for: .milliseconds(10))
      await screen.rotate(count: 4, size: "large")
      #expect(
        await screen.notes == (0..<6).map { .displayed($0, row: $0, "-") })
      #expect(await screen.count == 4)
      #expect(await screen.slots == [])
      await screen.follow(0..<3)
      #expect(await screen.slots == [0, 1, 2])
      await world.time.quiescence()
      #expect(await screen.visible == ["large 0", "large 1", "large 2"])
      #expect(await screen.notes.contains(.bound(0, row: 0)))
      await screen.rotate(count: nil, size: "small")
      #expect(await screen.count == 4)
      await screen.rotate(count: 9, size: "small")
      #expect(await screen.count == 9)
      await screen.follow(0..<8)
      await world.time.quiescence()
      #expect(await screen.visible == (0..<8).map { "small \($0)" })
    }
    #expect(world.origin.counters.cancelled == 3)
    #expect(world.origin.running == 0)
  }
}
