@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Deadlines and full queues under stress", .thorough)
struct DeadlineStressTests {
  private struct Tally {
    var outcomes: [LoadError.Kind?: Int] = [:]
    var wrong: [String] = []
  }

  @Test(
    "3 000 loads with deadlines, of which some are cancelled, end once each and never late",
    arguments: 0..<TestScope.rounds(12, soak: 200))
  func everyLoadEnds(seed: Int) {
    var random = SplitMix64(seed: seed)
    var configuration = ByteLoader.Configuration()
    configuration.transfers = 4
    configuration.maxWaiting = [nil, 0, 3, 12].randomElement(using: &random)!
    var limits = DecodingLimits()
    limits.decoders = 1
    limits.maxWaiting = configuration.maxWaiting
    let world = NumberWorld(configuration: configuration, limits: limits) { request in
      let delay = Duration.microseconds(request.number &* 7_919 % 5_000)
      return request.number % 13 == 12
        ? .init(after: delay, .failure(LoadError(.connectionLost, "lost", isRetryable: true)))
        : .init(after: delay, request.success())
    }
    let tally = Shared(Tally())
    for _ in 0..<3_000 {
      var request = NumberRequest(
        Int.random(in: 0..<200, using: &random), times: Int.random(in: 1...3, using: &random),
        priority: Priority.allCases.randomElement(using: &random)!)
      if Bool.random(using: &random) {
        request.deadline = .microseconds(Int.random(in: 0..<8_000, using: &random))
      }
      let start = Duration.microseconds(Int.random(in: 0..<200_000, using: &random))
      let task = world.timeline.spawn { [request] in
        try? await world.timeline.sleep(for: start)
        let begun = world.timeline.now
        await Self.load(request, from: world, begun: begun, into: tally)
      }
      guard Int.random(in: 0..<5, using: &random) == 0 else { continue }
      let end = start + .microseconds(Int.random(in: -50..<6_000, using: &random))
      world.timeline.spawn {
        try? await world.timeline.sleep(for: end)
        task.cancel()
      }
    }
    world.time.run()
    let outcome = tally.value
    #expect(outcome.wrong.isEmpty, "seed \(seed)")
    #expect(outcome.outcomes.values.reduce(0, +) == 3_000, "seed \(seed)")
    #expect(outcome.outcomes[.timeout, default: 0] > 0 && outcome.outcomes[nil, default: 0] > 0)
    #expect(outcome.outcomes.keys.contains(.busy) == (configuration.maxWaiting != nil), "seed \(seed)")
    #expect(world.time.run { await world.isIdle() } == true, "seed \(seed)")
  }

  private static func load(
    _ request: NumberRequest, from world: NumberWorld, begun: Duration, into tally: Shared<Tally>
  ) async {
    let result: Result<Int, LoadError>
    do throws(LoadError) { result = .success(try await world.loader.load(request).value) } catch {
      result = .failure(error)
    }
    let took = world.timeline.now - begun
    tally.update { tally in
      switch result {
      case .success(let value):
        tally.outcomes[nil, default: 0] += 1
        let number = Int(request.url.split(separator: "/").last ?? "") ?? -1
        if value != number * request.options { tally.wrong.append("\(request.url): \(value)") }
      case .failure(let error):
        tally.outcomes[error.kind, default: 0] += 1
        if error.kind == .timeout, took != request.deadline { tally.wrong.append("\(took)") }
      }
      if let deadline = request.deadline, took > deadline { tally.wrong.append("late: \(took)") }
    }
  }
}
