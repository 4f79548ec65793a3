@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Derived values under stress", .thorough)
struct DerivedStressTests {
  private struct Tally {
    var values = 0
    var failures = 0
    var cancelled = 0
    var wrong: [String] = []
  }

  /// Weak references to the objects that each task of a loader retains. Nil when no task is left.
  private struct WeakReferences {
    weak let loader: ResourceLoader<StepDecoder>?
    weak let bytes: ByteLoader?
  }

  @Test(
    "4 000 loads of chains end once each with the right value, though a third is cancelled",
    arguments: 0..<TestScope.rounds(6, soak: 20))
  func virtualTime(seed: Int) {
    let references = stress(seed: seed)
    #expect(references.loader == nil && references.bytes == nil, "seed \(seed): a task is left")
  }

  private func stress(seed: Int) -> WeakReferences {
    var random = SplitMix64(seed: seed)
    let entry = 8 + MemoryCacheLimit.entryCost
    let world = StepWorld(memory: 15 * entry, failing: 3) { request in
      let pieces = (0..<4).map { _ in
        ScriptedTransport.Answer.Piece(1, pause: .milliseconds(request.number &* 37 % 90))
      }
      return request.number % 10 == 9
        ? .init(after: .milliseconds(3), .failure(LoadError(.tls, "distrusted")))
        : .init(after: .milliseconds(5), pieces: pieces, request.success())
    }
    let tally = Shared(Tally())
    for _ in 0..<4_000 {
      let steps = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
        Int.random(in: 1...3, using: &random)
      }
      let request = world.request(
        Int.random(in: 1_000..<1_020, using: &random), steps: steps,
        priority: Priority.allCases[Int.random(in: 0..<3, using: &random)])
      let start = Duration.milliseconds(Int.random(in: 0..<4_000, using: &random))
      let wantsPreviews = Bool.random(using: &random)
      let task = world.timeline.spawn {
        try? await world.timeline.sleep(for: start)
        await Self.load(request, wantsPreviews, from: world.loader, into: tally)
      }
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      let end = start + .milliseconds(Int.random(in: -5..<300, using: &random))
      world.timeline.spawn {
        try? await world.timeline.sleep(for: end)
        task.cancel()
      }
    }
    world.time.run()
    let outcome = tally.value
    #expect(outcome.values + outcome.failures + outcome.cancelled == 4_000, "seed \(seed)")
    #expect(outcome.wrong.isEmpty, "seed \(seed)")
    #expect(outcome.cancelled > 100 && outcome.failures > 100, "seed \(seed)")
    #expect(world.origin.counters.duplicates == 0, "seed \(seed)")
    #expect(world.time.run { await world.isIdle() } == true, "seed \(seed)")
    return WeakReferences(loader: world.loader, bytes: world.bytes)
  }

  private static func load(
    _ request: Request<[Int]>, _ wantsPreviews: Bool, from loader: ResourceLoader<StepDecoder>,
    into tally: Shared<Tally>
  ) async {
    let number = Int(request.url.split(separator: "/").last ?? "") ?? 0
    let digits = request.options.map(String.init).joined()
    let onPreview: @Sendable (Int) -> Void = { preview in
      let text = "\(preview)".dropFirst()
      let isRight = text.hasSuffix(digits) && "\(number)".hasPrefix(text.dropLast(digits.count))
      if !isRight { tally.update { $0.wrong.append("preview \(preview) of \(number) \(digits)") } }
    }
    do throws(LoadError) {
      let loaded =
        wantsPreviews
        ? try await loader.load(request, onPreview: onPreview) : try await loader.load(request)
      tally.update {
        $0.values += 1
        if "\(loaded.value)" != "\(number)\(digits)" || number % 10 == 9 || request.options.contains(3) {
          $0.wrong.append("\(loaded.value) for \(number) \(digits)")
        }
      }
    } catch {
      tally.update {
        if error.kind == .cancelled { $0.cancelled += 1 } else { $0.failures += 1 }
        if error.kind == .invalidRequest, !request.options.contains(3) { $0.wrong.append("\(error)") }
      }
    }
  }
}
