internal import Cellophane
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneTesting/CellophaneTesting.docc/TestingInVirtualTime.md.

/// A screen with one slot. Its state is the actor's.
private actor Screen {
  private let slot: Slot<RawDecoder>

  init(_ loader: ResourceLoader<RawDecoder>) { slot = Slot(loader) }

  func show(_ url: String) { slot.show(try? Request(url, options: NoOptions())) }
  var shown: [UInt8]? { slot.state.value }
}

@Suite("Virtual time")
struct TestingInVirtualTimeSnippets {
  @Test func callersShareOneTransfer() {
    let world = LoaderWorld()
    world.origin.script("http://h/a", .ok("abc").after(.seconds(2)))

    let lengths = world.time.run {
      async let first = try? world.bytes.load(Request("http://h/a", options: NoOptions()))
      async let second = try? world.bytes.load(Request("http://h/a", options: NoOptions()))
      return await [first?.bytes.count, second?.bytes.count]
    }

    #expect(lengths == [3, 3])
    #expect(world.origin.requests.count == 1)
    #expect(world.time.now.nanoseconds == 2_000_000_000)
  }

  @Test func slotShowsTheNewestRequest() {
    let world = LoaderWorld()
    world.origin.script("http://h/slow", .ok("slow").after(.milliseconds(900)))
    world.origin.script("http://h/fast", .ok("fast").after(.milliseconds(100)))
    let screen = Screen(ResourceLoader(bytes: world.bytes, decoder: RawDecoder()))

    let shown = world.time.run {
      await screen.show("http://h/slow")
      await screen.show("http://h/fast")
      await world.time.quiescence()
      return await screen.shown
    }

    #expect(shown == Array("fast".utf8))
    #expect(world.origin.running == 0)
  }

  @Test(arguments: UInt64(0)..<50)
  func cancellationLeavesNothing(seed: UInt64) {
    let world = LoaderWorld(seed: seed)
    world.origin.script("http://h/a", .ok().after(.seconds(1)))

    let inFlight = world.time.run {
      let task = world.timeline.spawn { _ = await world.load("http://h/a") }
      for _ in 0..<Int(seed % 8) { await Task.yield() }
      task.cancel()
      await world.time.quiescence()
      return await world.bytes.activity.inFlight
    }

    #expect(inFlight == 0, "seed \(seed)")
  }
}
