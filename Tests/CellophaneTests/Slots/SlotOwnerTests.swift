@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Slots of an owner, in virtual time")
struct SlotOwnerTests {
  private actor Owner {
    private let world: NumberWorld
    private let placeholder: Slot<NumberDecoder>.Placeholder
    private(set) var states: [String] = []
    private lazy var slot = Slot(world.loader, placeholder: placeholder, owner: self) {
      $0.states.append($1.description)
    }
    private lazy var table: SlotTable<Int, NumberDecoder> = SlotTable(world.loader, owner: self) {
      $0.states.append("\($1.key): \($1.state)")
    }

    init(_ world: NumberWorld, placeholder: Slot<NumberDecoder>.Placeholder = .blank) {
      (self.world, self.placeholder) = (world, placeholder)
    }

    func show(_ number: Int) { slot.show(NumberRequest(number)) }
    func show(_ number: Int, at key: Int) { table.show(NumberRequest(number), for: key) }
    func retry() { slot.retry() }
  }

  /// Number 9 fails, and number 5 takes long.
  private func world() -> NumberWorld {
    NumberWorld {
      $0.number == 9
        ? .init(.failure(LoadError(.tls, "distrusted")))
        : .init(after: $0.number == 5 ? .seconds(100) : .milliseconds(10), $0.success())
    }
  }

  @Test("the display gets the owner, in its isolation")
  func states() {
    let world = world()
    let owner = Owner(world)
    let states = world.time.run {
      for number in [1, 2, 1] {
        await owner.show(number)
        try? await world.timeline.sleep(for: .seconds(1))
      }
      return await owner.states
    }
    #expect(states == ["loading", "1 from network", "loading", "2 from network", "1 from memory"])
  }

  @Test("the slots of a table have the owner as well")
  func table() {
    let world = world()
    let owner = Owner(world)
    let states = world.time.run {
      await owner.show(1, at: 7)
      try? await world.timeline.sleep(for: .seconds(1))
      return await owner.states
    }
    #expect(states == ["7: loading", "7: 1 from network"])
  }

  @Test("the slot does not retain its owner once its load has ended")
  func release() {
    let world = world()
    weak var reference: Owner?
    do {
      let owner = Owner(world)
      reference = owner
      world.time.run {
        await owner.show(5)
        try? await world.timeline.sleep(for: .seconds(1))
      }
    }
    world.time.run()
    #expect(reference == nil && world.timeline.now == .seconds(100))
    #expect(world.time.run { await world.isIdle() } == true)
  }

  @Test("after a failure the previous value stays, if the slot keeps it", arguments: [true, false])
  func previous(keeps: Bool) {
    let world = world()
    let kept = Shared<[Int?]>([])
    let screen = Screen(world, placeholder: keeps ? .previous : .blank) { state in
      kept.update { $0.append(state.value) }
    }
    world.time.run {
      for number in [1, 9] {
        await screen.show(NumberRequest(number))
        try? await world.timeline.sleep(for: .seconds(1))
      }
      await screen.retry()
      try? await world.timeline.sleep(for: .seconds(1))
      await screen.show(NumberRequest(2))
    }
    world.time.run()
    let old: Int? = keeps ? 1 : nil
    #expect(kept.value == [nil, 1, old, old, old, old, old, 2])
  }

  private actor Screen {
    private let slot: Slot<NumberDecoder>

    init(
      _ world: NumberWorld, placeholder: Slot<NumberDecoder>.Placeholder,
      display: @escaping @Sendable (SlotState<Int>) -> Void
    ) {
      slot = Slot(world.loader, placeholder: placeholder, display: display)
    }

    func show(_ request: NumberRequest) { slot.show(request) }
    func retry() { slot.retry() }
  }
}
