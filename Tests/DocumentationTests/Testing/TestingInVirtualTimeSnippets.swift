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
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      .init(after: .seconds(2), .success(TransportResponse(status: 200, body: [1, 2, 3], url: request.url)))
    }
    let loader = ByteLoader(transport: transport, timeline: timeline)

    let lengths = time.run {
      async let first = try? loader.load(Request("http://example.com/a", options: NoOptions()))
      async let second = try? loader.load(Request("http://example.com/a", options: NoOptions()))
      return await [first?.bytes.count, second?.bytes.count]
    }

    #expect(lengths == [3, 3])
    #expect(transport.counters.started == 1)
    #expect(time.now.nanoseconds == 2_000_000_000)
  }

  @Test func slotShowsTheNewestRequest() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      let isSlow = request.url.hasSuffix("slow")
      return .init(
        after: .milliseconds(isSlow ? 900 : 100),
        .success(TransportResponse(status: 200, body: [isSlow ? 1 : 2], url: request.url)))
    }
    let bytes = ByteLoader(transport: transport, timeline: timeline)
    let screen = Screen(ResourceLoader(bytes: bytes, decoder: RawDecoder()))

    let shown = time.run {
      await screen.show("http://example.com/slow")
      await screen.show("http://example.com/fast")
      await time.quiescence()
      return await screen.shown
    }

    #expect(shown == [2])
    #expect(transport.running == 0)
  }

  @Test(arguments: UInt64(0)..<50)
  func cancellationLeavesNothing(seed: UInt64) {
    let time = VirtualTime(seed: seed)
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      .init(after: .seconds(1), .success(TransportResponse(status: 200, url: request.url)))
    }
    let loader = ByteLoader(transport: transport, timeline: timeline)

    let inFlight = time.run {
      let task = timeline.spawn {
        _ = try? await loader.load(Request("http://example.com/a", options: NoOptions()))
      }
      for _ in 0..<Int(seed % 8) { await Task.yield() }
      task.cancel()
      await time.quiescence()
      return await loader.activity.inFlight
    }

    #expect(inFlight == 0, "seed \(seed)")
  }
}
