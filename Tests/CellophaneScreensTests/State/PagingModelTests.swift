internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("A list of pages, in virtual time")
struct PagingModelTests {
  private func run<Value: Sendable>(
    sizes: [Int], distance: Int = 5, interval: Int = 100,
    answer: @escaping @Sendable (Int, Int) -> ScriptedPages.Answer = { _, _ in .init() },
    _ body: @escaping @Sendable (PagingScreen, ScriptedPages, (Int) async -> Void) async -> Value
  ) -> Value? {
    let time = VirtualTime()
    let timeline = time.timeline()
    let pages = ScriptedPages(timeline, sizes: sizes, answer: answer)
    return time.run {
      let screen = PagingScreen(
        pages, distance: distance, interval: .milliseconds(interval), timeline: timeline)
      let value = await body(screen, pages) { try? await timeline.sleep(for: .milliseconds($0)) }
      await time.quiescence()
      #expect(await screen.runningEffects == 0 && pages.running == 0)
      #expect(await screen.release())
      return value
    }
  }

  /// Each frame moves the list by `rows` rows.
  @Test("each page is loaded once, at any speed", arguments: [1, 2, 7, 40, 100_000], [1, 5, 50])
  func speeds(rows: Int, distance: Int) {
    let pages = run(sizes: Array(repeating: 10, count: 30), distance: distance) { screen, pages, pause in
      var end = 0
      for _ in 0..<1_000 {
        // A list cannot be scrolled past its items.
        end = min(end + rows, await screen.state?.items.count ?? 0)
        await screen.take(.reach(end))
        await pause(8)
      }
      #expect(await screen.state?.items == Array(0..<300))
      #expect(await screen.state?.end == .last)
      return pages.requestedPages
    }
    #expect(pages == Array(0..<30))
  }

  @Test("pages are loaded when they are needed, not before")
  func needed() {
    let counts = run(sizes: [10, 10, 10, 10]) { screen, pages, pause in
      var counts: [Int] = []
      for end in [0, 5, 6, 6, 4, 20] {
        await screen.take(.reach(end))
        await pause(500)
        counts.append(pages.requestedPages.count)
      }
      return counts
    }
    #expect(counts == [1, 1, 2, 2, 2, 3])
  }

  @Test("an unlimited distance loads all pages")
  func farthest() {
    let pages = run(sizes: [10, 10, 10], distance: .max) { screen, pages, pause in
      for end in [0, 30, .max, -1, .min] {
        await screen.take(.reach(end))
        await pause(1_000)
      }
      return pages.requestedPages
    }
    #expect(pages == [0, 1, 2])
  }

  @Test("small and empty pages are requested until there are enough items, one per interval")
  func small() {
    let began = run(sizes: [0, 1, 0, 1, 2, 8, 50], answer: { _, _ in .init(milliseconds: 10) }) {
      screen, pages, pause in
      await screen.take(.reach(0))
      await pause(2_000)
      return pages.requests.value.map { $0.began }
    }
    #expect(began == (0..<6).map { .milliseconds($0 * 100) })
  }

  @Test("a failed page waits for a retry, even if the list moves")
  func failing() {
    let states = run(
      sizes: [10, 10, 10], answer: { number, _ in .init(outcome: number == 1 ? .failed : .page) }
    ) {
      screen, pages, pause in
      await screen.take(.reach(0))
      await pause(200)
      for end in 6..<10 {
        await screen.take(.reach(end))
        await pause(200)
      }
      let failed = await screen.state
      await screen.take(.retry)
      await screen.take(.retry)
      let retried = await screen.state
      await pause(500)
      #expect(pages.requestedPages == [0, 1, 1])
      return [failed, retried, await screen.state]
    }
    #expect(states?.map { $0?.end } == [.failed(UserFacingError("no 1")), .loading, .more])
    #expect(states?.map { $0?.items.count } == [10, 10, 20])
  }

  @Test("a refresh cancels running loads, and keeps the items until new ones arrive")
  func refreshing() {
    let items = run(
      sizes: [10, 10, 10], answer: { number, _ in .init(outcome: number == 2 ? .failed : .page) }
    ) {
      screen, pages, pause in
      await screen.take(.reach(0))
      await pause(200)
      await screen.take(.reach(8))
      await pause(10)
      await screen.take(.refresh)
      await screen.take(.reach(9))
      let refreshing = await screen.state
      #expect(refreshing?.end == .more && refreshing?.refresh == .running)
      await pause(49)
      let kept = await screen.state?.items.count
      await pause(2)
      // The refresh failed. The cancelled page is loaded again.
      #expect(await screen.state?.refresh == .failed(UserFacingError("no 2")))
      await pause(200)
      let more = await screen.state?.items.count
      await screen.take(.retry)
      await pause(200)
      let refreshed = await screen.state
      #expect(refreshed?.refresh == .idle && refreshed?.generation == 1)
      #expect(pages.requestedPages == [0, 1, 0, 1, 0])
      await screen.take(.reach(9))
      await pause(200)
      return [kept, more, await screen.state?.items.count]
    }
    #expect(items == [10, 20, 20])
  }

  @Test("one retry repeats a failed refresh, and then a failed page", arguments: [0, 1])
  func retryingBoth(times: Int) {
    let requested = run(
      sizes: [10, 10, 10],
      answer: { number, _ in .init(outcome: (1..<3 + times).contains(number) ? .failed : .page) }
    ) { screen, pages, pause in
      await screen.take(.reach(0))
      await pause(200)
      await screen.take(.reach(8))
      await pause(200)
      await screen.take(.refresh)
      await pause(200)
      let failed = await screen.state
      #expect(failed?.end == .failed(UserFacingError("no 1")))
      #expect(failed?.refresh == .failed(UserFacingError("no 2")))
      await screen.take(.retry)
      #expect(await screen.state?.refresh == .running)
      await pause(500)
      #expect(await screen.state?.end == .more)
      #expect(await screen.state?.items.count == (times == 0 ? 10 : 20))
      return pages.requestedPages
    }
    // The page is loaded only if the refresh failed again.
    #expect(requested == [0, 1, 0, 0] + (times == 0 ? [] : [1]))
  }

  @Test("releasing the model cancels its loads", arguments: [0, 20, 120])
  func release(at milliseconds: Int) {
    let time = VirtualTime()
    let pages = ScriptedPages(time.timeline(), sizes: [0, 0, 0, 0])
    time.run {
      let screen = PagingScreen(pages, distance: 5, interval: .milliseconds(100), timeline: time.timeline())
      await screen.take(.reach(0))
      try? await time.timeline().sleep(for: .milliseconds(milliseconds))
      #expect(await screen.release())
    }
    #expect(pages.running == 0 && time.now.nanoseconds == milliseconds * 1_000_000)
  }

  /// Checks the invariants after each step.
  @Test("random steps keep the invariants", .thorough, arguments: 0..<20)
  func block(_ block: Int) {
    for seed in block * 100..<block * 100 + 100 {
      let fault = check(seed)
      #expect(fault == .some(nil), "seed \(seed)")
    }
  }

  private func check(_ seed: Int) -> String?? {
    var random = SplitMix64(seed: seed)
    let sizes = (0..<Int.random(in: 1..<12, using: &random)).map { _ in Int.random(in: 0..<15, using: &random)
    }
    let steps = (0..<40).map { _ -> (pause: Int, PagingScreen.Step) in
      let pause = Bool.random(using: &random) ? 0 : Int.random(in: 0..<150, using: &random)
      return switch Int.random(in: 0..<12, using: &random) {
      case 0: (pause, .retry)
      case 1: (pause, .refresh)
      case 2: (pause, .cancelRefresh)
      default: (pause, .reach(Int.random(in: 0..<120, using: &random)))
      }
    }
    let interval = Int.random(in: 0..<3, using: &random) * 50
    let answer: @Sendable (Int, Int) -> ScriptedPages.Answer = { number, _ in
      var random = SplitMix64(seed: seed &* 1_000 &+ number)
      let outcomes: [ScriptedPages.Answer.Outcome] = [.page, .page, .page, .failed, .gaveUp]
      return .init(
        milliseconds: Int.random(in: 0..<200, using: &random),
        outcome: outcomes[Int.random(in: 0..<5, using: &random)])
    }
    return run(sizes: sizes, interval: interval, answer: answer) { screen, pages, pause in
      for (milliseconds, step) in steps {
        await screen.take(step)
        if let fault = await self.fault(screen, pages) { return fault }
        await pause(milliseconds)
        if let fault = await self.fault(screen, pages) { return fault }
      }
      // With repeated retries, all items arrive in the end.
      for _ in 0..<60 {
        await screen.take(.retry)
        await screen.take(.reach(1_000))
        await pause(400)
        if let fault = await self.fault(screen, pages) { return fault }
      }
      guard let state = await screen.state, state.items == pages.items(ofPages: sizes.count),
        state.end == .last
      else { return "items are missing: \(String(describing: await screen.state))" }
      return await screen.replayed() == state ? nil : "the replayed recording ends with another state"
    }
  }

  private func fault(_ screen: PagingScreen, _ pages: ScriptedPages) async -> String? {
    guard let state = await screen.state else { return "the model was released" }
    let requests = pages.requests.value
    let running = requests.filter { $0.ended == nil }
    guard Array(state.items) == Array(0..<state.items.count) else { return "items \(state.items)" }
    // A task starts after the change of the state, and a cancelled task ends later.
    let due = (state.end == .loading ? 1 : 0) + (state.refresh == .running ? 1 : 0)
    guard due <= 1 else { return "two loads at once: \(state)" }
    if running.count > due + 1 { return "\(running.count) requests run: \(state)" }
    // A page that arrived is requested again only after a refresh.
    var arrived: Set<Int> = []
    for request in requests {
      if request.page > 0, arrived.contains(request.page) { return "page \(request.page) was loaded twice" }
      guard request.ended?.hasArrived == true else { continue }
      if request.page == 0 { arrived = [] }
      arrived.insert(request.page)
    }
    return nil
  }
}
