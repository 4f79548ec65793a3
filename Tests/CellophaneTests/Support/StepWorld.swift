@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport

/// A decoder of numbers that appends digits, each in a step of its own. The options are the digits.
struct StepDecoder: ResourceDecoder {
  /// The digits of each step that ran.
  let steps = Shared<[[Int]]>([])
  /// True for each decoding, false for each step, in order.
  let order = Shared<[Bool]>([])
  /// A step that fails.
  var failing: Int?

  func decode(_ bytes: [UInt8], options: [Int]) throws(LoadError) -> Int {
    order.update { $0.append(true) }
    var value = try NumberDecoder().decode(bytes, options: 1)
    for end in options.indices { value = try append(value, Array(options[...end])) }
    return value
  }

  func workingBytes(for bytes: [UInt8], options: [Int]) throws(LoadError) -> Int {
    try NumberDecoder().workingBytes(for: bytes, options: 1)
  }

  func cost(of value: Int) -> Int { 8 }

  func incremental(options: [Int]) -> (any IncrementalDecoding<Int>)? { IncrementalNumber(factor: 1) }

  func derivation(options: [Int]) -> Derivation<[Int], Int>? {
    guard !options.isEmpty else { return nil }
    return Derivation(from: Array(options.dropLast()), workingBytes: { _ in 8 }) { base throws(LoadError) in
      order.update { $0.append(false) }
      return try append(base, options)
    }
  }

  private func append(_ base: Int, _ digits: [Int]) throws(LoadError) -> Int {
    steps.update { $0.append(digits) }
    guard let last = digits.last, last != failing else { throw LoadError(.invalidRequest, "this step fails") }
    return base * 10 + (base < 0 ? -last : last)
  }
}

/// A loader of numbers with steps, in virtual time.
struct StepWorld: TestWorld {
  let base: LoaderWorld
  let loader: ResourceLoader<StepDecoder>
  var steps: [[Int]] { loader.decoder.steps.value }

  init(
    memory: Int = 80_000, failing: Int? = nil, cacheLimit: Int? = nil, reuse: MemoryReuse = .untilEvicted,
    retries: Int = 0, limits: DecodingLimits = DecodingLimits(),
    answer: @escaping @Sendable (TransportRequest) -> ScriptedTransport.Answer = {
      .init(after: .milliseconds(10), $0.success())
    }
  ) {
    base = LoaderWorld(cacheLimit: cacheLimit) { $0.retry.retries = retries }
    loader = ResourceLoader(
      bytes: base.bytes, decoder: StepDecoder(failing: failing), memory: MemoryCache(limit: memory),
      reuse: reuse, limits: limits)
    origin.script("*", answer)
  }

  /// Returns the request of `number` with the digits of `steps`.
  func request(
    _ number: Int, _ steps: Int..., priority: Priority = .normal, policy: CachePolicy = .standard
  ) -> Request<[Int]> {
    request(number, steps: steps, priority: priority, policy: policy)
  }

  func request(
    _ number: Int, steps: [Int], priority: Priority = .normal, policy: CachePolicy = .standard
  ) -> Request<[Int]> {
    guard
      let request = try? Request(
        "http://h/\(number)", options: steps, priority: priority, cachePolicy: policy)
    else { fatalError("the URL is invalid") }
    return request
  }

  /// Starts a load. The result is the value, its source or the kind of the error.
  @discardableResult
  func load(
    _ request: Request<[Int]>, after delay: Duration = .zero, into results: Shared<[String]>
  ) -> Task<Void, Never> {
    timeline.spawn { [timeline, loader] in
      try? await timeline.sleep(for: delay)
      let text: String
      do throws(LoadError) {
        let loaded = try await loader.load(request)
        text = "\(loaded.value) \(loaded.source)"
      } catch {
        text = error.kind.rawValue
      }
      results.update { $0.append(text) }
    }
  }

  /// True when no work runs, waits or is in flight.
  func isIdle() async -> Bool {
    let loader = await loader.activity
    return await base.isIdle() && loader == (0, 0)
  }
}
