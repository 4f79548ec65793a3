@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Slots of values that change in time, in virtual time")
struct SlotPlaybackTests {
  private func world(_ answer: ScriptedTransport.Answer? = nil) -> LoaderWorld {
    let world = LoaderWorld(cacheLimit: nil)
    world.origin.script("*") { answer ?? .init(after: .milliseconds(10), $0.success()) }
    return world
  }

  private func loader(_ world: LoaderWorld) -> ResourceLoader<TickDecoder> {
    ResourceLoader(bytes: world.bytes, decoder: TickDecoder(), memory: MemoryCache(limit: 80_000))
  }

  private func request(_ number: Int) throws -> Request<NoOptions> {
    try Request("http://h/\(number)", options: NoOptions())
  }

  @Test("a value is followed by its later values, from the network and from memory")
  func plays() throws {
    let world = world()
    let screen = TickScreen(loader(world))
    let request = try request(100)
    world.time.run {
      await screen.show(request)
      try? await world.timeline.sleep(for: .seconds(10))
      await screen.show(nil)
      await screen.show(request)
      try? await world.timeline.sleep(for: .milliseconds(1_500))
      await screen.show(nil)
    }
    world.time.run()
    #expect(
      screen.states == [
        "loading", "100 from network", "101 from network", "102 from network", "103 from network", "empty",
        "100 from memory", "101 from memory", "empty",
      ])
  }

  @Test("a pause keeps the next value until it ends")
  func pause() throws {
    let world = world()
    let screen = TickScreen(loader(world))
    let request = try request(100)
    world.time.run {
      await screen.show(request)
      try? await world.timeline.sleep(for: .milliseconds(1_500))
      await screen.setPaused(true)
      try? await world.timeline.sleep(for: .seconds(100))
      #expect(screen.states.last == "101 from network")
      await screen.setPaused(false)
      try? await world.timeline.sleep(for: .milliseconds(1))
      #expect(screen.states.last == "102 from network")
      try? await world.timeline.sleep(for: .seconds(2))
      #expect(screen.states.last == "103 from network")
    }
  }

  @Test("a slot that is rebound or released during a pause leaves no task", arguments: [true, false])
  func pausedEnd(isReleased: Bool) throws {
    weak var loader: ResourceLoader<TickDecoder>?
    do {
      let world = world()
      let own = self.loader(world)
      loader = own
      let screen = TickScreen(own)
      let (first, second) = try (request(100), request(200))
      world.time.run {
        await screen.show(first)
        await screen.setPaused(true)
        try? await world.timeline.sleep(for: .seconds(3))
        if isReleased { return await screen.release() }
        await screen.show(second)
        await screen.setPaused(false)
        try? await world.timeline.sleep(for: .seconds(30))
        await screen.release()
      }
      world.time.run()
      let expected = ["loading", "100 from network"]
      #expect(
        screen.states
          == (isReleased
            ? expected
            : expected + ["loading"] + (200...203).map { "\($0) from network" }))
    }
    #expect(loader == nil)
  }

  @Test("an endless playback does not retain the owner of its slot")
  func ownership() throws {
    let world = world()
    weak var loader: ResourceLoader<TickDecoder>?
    do {
      let own = ResourceLoader(
        bytes: world.bytes, decoder: TickDecoder(isEndless: true), memory: MemoryCache(limit: 80_000))
      loader = own
      let request = try request(100)
      let states = world.time.run {
        let screen = TickScreen(own)
        await screen.show(request)
        try? await world.timeline.sleep(for: .milliseconds(10_500))
        return screen.states.count
      }
      #expect(states == 12)
    }
    #expect(loader == nil)
  }

  @Test("a slot shows later values of its request only", arguments: 0..<20)
  func reuse(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let world = world()
    let screen = TickScreen(loader(world))
    let requests = try (0..<5).map { try request($0 * 100) }
    let steps = (0..<200).map { _ in
      (
        Int.random(in: 0..<6, using: &random), Int.random(in: 0...2_500, using: &random),
        Bool.random(using: &random)
      )
    }
    world.time.run {
      for (row, pause, isPaused) in steps {
        await screen.show(row == 5 ? nil : requests[row], row: row * 100)
        await screen.setPaused(isPaused)
        try? await world.timeline.sleep(for: .milliseconds(pause))
      }
      await screen.release()
    }
    world.time.run()
    #expect(screen.wrong.isEmpty, "seed \(seed)")
    #expect(screen.states.count > 200, "seed \(seed)")
  }

  @Test("a placeholder is shown during the load and after its failure, and not for a value in memory")
  func placeholder() throws {
    let world = world()
    world.origin.script("http://h/9", .status(404))
    let screen = TickScreen(loader(world))
    let (good, bad) = try (request(100), request(9))
    let evaluations = Shared(0)
    world.time.run {
      await screen.show(good, placeholder: 7, counting: evaluations)
      try? await world.timeline.sleep(for: .milliseconds(20))
      await screen.show(bad, placeholder: 8, counting: evaluations)
      try? await world.timeline.sleep(for: .milliseconds(20))
      await screen.retry()
      try? await world.timeline.sleep(for: .milliseconds(20))
      await screen.show(good, placeholder: 7, counting: evaluations)
      await screen.show(nil)
    }
    #expect(
      screen.states == [
        "loading over 7", "100 from network", "loading over 8", "failed status over 8", "loading over 8",
        "failed status over 8", "100 from memory", "empty",
      ])
    #expect(evaluations.value == 2)
  }

  @Test("a slot has the progress of its load")
  func progress() throws {
    let world = world(
      .status(200, ["content-length": "3"], body: Array("100".utf8))
        .inPieces(of: 1, every: .milliseconds(150)))
    let screen = TickScreen(loader(world))
    let request = try request(100)
    let log = Shared<[Int]>([])
    world.time.run {
      for await _ in await screen.progress { log.update { $0.append(-1) } }
      await screen.show(request)
      for await progress in await screen.progress { log.update { $0.append(progress.received) } }
    }
    #expect(log.value.first == 0 && log.value.last == 3)
    #expect(log.value == log.value.sorted() && log.value.count >= 3)
  }
}

/// A decoder of numbers that become 1, 2 and 3 more after one second each.
private struct TickDecoder: ResourceDecoder {
  var isEndless = false

  func decode(_ bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int {
    try NumberDecoder().decode(bytes, options: 1)
  }

  func workingBytes(for bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int { 8 }
  func cost(of value: Int) -> Int { 8 }

  func playback(
    of value: Int, on timeline: Timeline
  ) -> (any AsyncSequence<Int, LoadError> & Sendable)? {
    Ticks(first: value, count: isEndless ? .max : 4, timeline: timeline)
  }
}

private struct Ticks: AsyncSequence, Sendable {
  let first: Int
  let count: Int
  let timeline: Timeline

  func makeAsyncIterator() -> Iterator { Iterator(ticks: self, next: first) }

  struct Iterator: AsyncIteratorProtocol {
    let ticks: Ticks
    var next: Int

    mutating func next() async throws(LoadError) -> Int? { try await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(LoadError) -> Int? {
      guard next - ticks.first < ticks.count else { return nil }
      if next > ticks.first { try await ticks.timeline.pause(for: .seconds(1)) }
      defer { next += 1 }
      return next
    }
  }
}

/// A screen with one slot.
private actor TickScreen {
  private var slot: Slot<TickDecoder>?
  private let log = Shared<[String]>([])
  private let mistakes = Shared<[String]>([])
  private let row = Shared<Int?>(nil)
  /// The states passed to the display, in order.
  nonisolated var states: [String] { log.value }
  /// The states of other rows than the bound one.
  nonisolated var wrong: [String] { mistakes.value }

  init(_ loader: ResourceLoader<TickDecoder>) {
    slot = Slot(loader) { [log, row, mistakes] state in
      var text = state.text
      if case .failed(_, let previous?) = state { text += " over \(previous)" }
      log.update { $0.append(text) }
      if let row = row.value, case .shown(let value, _) = state, value / 100 * 100 != row {
        mistakes.update { $0.append("\(text) in row \(row)") }
      }
    }
  }

  func show(_ request: Request<NoOptions>?, row: Int? = nil) {
    self.row.value = row
    slot?.show(request)
  }

  func show(_ request: Request<NoOptions>, placeholder: Int, counting evaluations: Shared<Int>) {
    slot?.show(request, placeholder: Self.counted(placeholder, evaluations))
  }

  private static func counted(_ value: Int, _ evaluations: Shared<Int>) -> Int {
    evaluations.update { $0 += 1 }
    return value
  }

  var progress: LoadProgressUpdates { slot?.progress ?? LoadProgressUpdates(Timeline()) { nil } }

  func setPaused(_ isPaused: Bool) { slot?.isPaused = isPaused }
  func retry() { slot?.retry() }
  func release() { slot = nil }
}
