/// Loads what is about to appear, at low priority, within a budget.
///
/// Like ``Slot``, it belongs to the actor that made it. A slot that asks for something which is being
/// prefetched joins that load and raises it.
public final class Prefetcher<Decoder: ResourceDecoder> {
  /// What prefetching may use.
  public struct Configuration: Sendable {
    /// Loads at once. 4: what is left of an origin's six transfers beside those reserved for visible rows.
    public var concurrency = 4
    /// The bytes of decoded values in the window, beyond which nothing new is started. 64 MB: an eighth of
    /// the memory cache, so that what is prefetched does not push out what is shown.
    public var byteBudget = 64 << 20

    /// The defaults.
    public init() {}
  }

  private typealias Key = ResourceKey<Decoder.Options>

  private let loader: ResourceLoader<Decoder>
  private var window: PrefetchWindow<Key>
  private var requests: [Key: Request<Decoder.Options>] = [:]
  private var work: [Key: (number: UInt64, task: Task<Void, Never>)] = [:]
  private var tasksStarted: UInt64 = 0

  /// A prefetcher with an empty window.
  public init(_ loader: ResourceLoader<Decoder>, configuration: Configuration = Configuration()) {
    self.loader = loader
    window = PrefetchWindow(
      concurrency: configuration.concurrency, byteBudget: configuration.byteBudget)
  }

  deinit {
    for (_, task) in work.values.sorted(by: { $0.number < $1.number }) { task.cancel() }
  }

  /// How many loads run.
  public var running: Int { work.count }

  /// Replaces the window, most wanted first. Loads that left it are cancelled, those that stay go on, new
  /// ones start as the budget allows. What is in memory causes no work. O(window).
  public func show(_ window: [Request<Decoder.Options>], isolation: isolated any Actor = #isolation) {
    let window = window.map(loader.named)
    requests = [:]
    for request in window where requests[request.key] == nil {
      requests[request.key] = request.with(priority: .prefetch)
    }
    for key in self.window.replace(with: window.map(\.key), held: { loader.memory.peek($0) != nil }) {
      work.removeValue(forKey: key)?.task.cancel()
    }
    startMore(isolation: isolation)
  }

  /// Starts nothing new until ``resume(isolation:)``; what runs goes on.
  public func pause() { window.isPaused = true }

  /// Goes on.
  public func resume(isolation: isolated any Actor = #isolation) {
    window.isPaused = false
    startMore(isolation: isolation)
  }

  private func startMore(isolation: isolated any Actor) {
    while let key = window.next() {
      if let value = loader.memory.peek(key) {
        window.finish(key, cost: loader.cost(of: value))
      } else if let request = requests[key] {
        start(request, isolation: isolation)
      }
    }
  }

  private func start(_ request: Request<Decoder.Options>, isolation: isolated any Actor) {
    tasksStarted += 1
    let number = tasksStarted
    let task = loader.timeline.spawn(priority: .utility) { [weak self, loader] in
      _ = isolation
      var cost: Int?
      // A failure is the business of the one who shows it; prefetching only tries.
      if let loaded = try? await loader.load(request) { cost = loader.cost(of: loaded.value) }
      self?.finish(request.key, number: number, cost: cost, isolation: isolation)
    }
    work[request.key] = (number, task)
  }

  private func finish(_ key: Key, number: UInt64, cost: Int?, isolation: isolated any Actor) {
    let isCurrent = work[key]?.number == number
    if isCurrent { work[key] = nil }
    window.finish(key, cost: cost, isCurrent: isCurrent)
    startMore(isolation: isolation)
  }
}
