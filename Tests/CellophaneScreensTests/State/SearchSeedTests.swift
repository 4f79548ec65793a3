internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("A search with random steps, compared with a model")
struct SearchSeedTests {
  /// Random steps at multiples of 10 ms. The debounce takes 303 ms and delays end with 4, so that no
  /// other event has the time of a step.
  private struct Plan: Sendable {
    let steps: [(at: Int, step: SearchStep)]
    let answer: @Sendable (Int) -> SearchAnswer

    init(seed: Int) {
      var random = SplitMix64(seed: seed)
      var time = 0
      steps = (0..<Int.random(in: 1..<30, using: &random)).map { _ in
        time +=
          10
          * (Bool.random(using: &random)
            ? Int.random(in: 0..<6, using: &random) : Int.random(in: 0..<60, using: &random))
        let step: SearchStep =
          switch Int.random(in: 0..<12, using: &random) {
          case 0: .text("")
          case 1: .text("  ")
          case 2: .retry
          case 3: .cancel
          case 4: .submit
          default: .text(["a", "ab", " ab", "abc", "b"][Int.random(in: 0..<5, using: &random)])
          }
        return (time, step)
      }
      answer = { request in
        var random = SplitMix64(seed: seed &* 1_000 &+ request)
        let outcomes: [SearchAnswer.Outcome] = [.found, .found, .found, .failed, .permanent, .gaveUp]
        return SearchAnswer(
          milliseconds: 10 * Int.random(in: 0..<50, using: &random) + 4,
          outcome: outcomes[Int.random(in: 0..<6, using: &random)])
      }
    }
  }

  @Test("spinner, results and error match the model at all times", .thorough, arguments: 0..<40)
  func block(_ block: Int) {
    for seed in block * 100..<block * 100 + 100 { check(seed) }
  }

  private func check(_ seed: Int) {
    let plan = Plan(seed: seed)
    let time = VirtualTime()
    let timeline = time.timeline()
    let repository = ScriptedRepository(timeline, answer: plan.answer)
    let fault = time.run { () -> String? in
      let screen = SearchScreen(repository, debounce: .milliseconds(303), timeline: timeline)
      var oracle = SearchOracle(debounce: 303, answer: plan.answer)
      var rest = plan.steps[...]
      var now = 0
      while true {
        try? await timeline.sleep(for: .milliseconds(now) - timeline.now)
        oracle.advance(to: now)
        while true {
          let drawn = await screen.drawn
          guard drawn == oracle.drawn else { return "at \(now): '\(drawn)', expected '\(oracle.drawn)'" }
          guard let next = rest.first, next.at == now else { break }
          rest.removeFirst()
          await screen.take(next.step)
          oracle.take(next.step, at: now)
        }
        // One millisecond after the next event, which has happened by then.
        guard let next = [rest.first?.at, oracle.next.map { $0 + 1 }].compactMap(\.self).min() else { break }
        now = next
      }
      await time.quiescence()
      guard await screen.drawn == oracle.drawn else { return "at the end: \(await screen.drawn)" }
      guard repository.requests.value == oracle.requests else {
        return "requested \(repository.requests.value), expected \(oracle.requests)"
      }
      guard await screen.runningEffects == 0, repository.running.value == 0 else {
        return "an effect or a request still runs"
      }
      guard let (replayed, state) = await screen.replayed, replayed == state else {
        return "the replayed recording ends with another state"
      }
      return await screen.release() ? nil : "the model is still retained"
    }
    #expect(fault == .some(nil), "seed \(seed): \(plan.steps)")
  }
}
