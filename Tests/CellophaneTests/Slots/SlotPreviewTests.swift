@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Slots with previews, in virtual time")
struct SlotPreviewTests {
  private func world() -> NumberWorld {
    NumberWorld { request in
      .init(
        after: .milliseconds(10), pieces: Array(repeating: .init(1, pause: .milliseconds(60)), count: 6),
        request.success())
    }
  }

  @Test("previews are a separate state before the value")
  func states() {
    let world = world()
    let screen = Screen(world, showsPreviews: true)
    world.time.run { _ = await screen.show(NumberRequest(123_456)) }
    world.time.run()
    #expect(
      screen.states == ["loading", "preview -12", "preview -1234", "preview -123456", "123456 from network"])
  }

  @Test("a slot without previews shows only the value")
  func withoutPreviews() {
    let world = world()
    let screen = Screen(world)
    world.time.run { _ = await screen.show(NumberRequest(123_456)) }
    world.time.run()
    #expect(screen.states == ["loading", "123456 from network"])
  }

  @Test("a slot that joins late shows the newest preview at once")
  func late() {
    let world = world()
    let (first, second) = (Screen(world, showsPreviews: true), Screen(world, showsPreviews: true))
    world.time.run {
      await first.show(NumberRequest(123_456))
      try? await world.timeline.sleep(for: .milliseconds(150))
      await second.show(NumberRequest(123_456))
      try? await world.timeline.sleep(for: .milliseconds(1))
    }
    #expect(second.states.prefix(3) == ["loading", "preview -12", "preview -1234"])
    #expect(first.states == second.states)
  }

  @Test("a preview always belongs to the request of its slot", arguments: 0..<20)
  func reuse(seed: Int) async {
    var random = SplitMix64(seed: seed)
    let world = world()
    let screen = CheckingScreen(world)
    let steps = (0..<200).map { _ in
      (Int.random(in: 100_000...100_020, using: &random), Int.random(in: 0...300, using: &random))
    }
    world.time.run {
      for (number, pause) in steps {
        await screen.show(NumberRequest(number))
        try? await world.timeline.sleep(for: .milliseconds(pause))
      }
    }
    world.time.run()
    let (wrong, previews) = await (screen.wrong, screen.previews)
    #expect(wrong.isEmpty, "seed \(seed)")
    #expect(previews > 0, "seed \(seed)")
    #expect(await world.isIdle(), "seed \(seed)")
  }
}

/// A screen with one slot. Compares each shown value with the request of the slot.
actor CheckingScreen {
  private let world: NumberWorld
  private lazy var slot = Slot(world.loader, showsPreviews: true) { [weak self] state in
    self?.assumeIsolated { $0.check(state) }
  }
  private var bound = 0
  private(set) var wrong: [String] = []
  private(set) var previews = 0

  init(_ world: NumberWorld) { self.world = world }

  func show(_ request: NumberRequest) {
    bound = Int(request.key.response.url.split(separator: "/").last ?? "") ?? -1
    slot.show(request)
  }

  private func check(_ state: SlotState<Int>) {
    switch state {
    case .preview(let part):
      previews += 1
      if !"\(bound)".hasPrefix("\(-part)") { wrong.append("\(part) for \(bound)") }
    case .shown(let value, _): if value != bound { wrong.append("\(value) for \(bound)") }
    case .failed(let error, _): wrong.append("\(error)")
    case .empty, .loading: break
    }
  }
}
