/// A loader of rows before they become visible, at low priority and within a budget.
///
/// A list reports its motion with ``follow(_:isolation:request:)``, and a ``PrefetchPolicy`` selects the rows to load.
/// ``show(_:visible:isolation:)`` sets the window directly.
///
/// Like ``Slot``, it belongs to the actor that created it. A slot that requests a value which is being prefetched joins that
/// load and raises its priority.
public final class Prefetcher<Decoder: ResourceDecoder> {
  /// The limits of prefetching.
  public struct Configuration: Sendable {
    /// The maximum number of concurrent loads. 6: the transfers of an origin. Fewer run because of the slots reserved for
    /// visible rows, and when fewer saturate the link: see ``ByteLoader/Configuration/transfersPerOrigin``.
    public var concurrency: Int
    /// The bytes of decoded values in the window above which no load starts. 64 MiB: an eighth of the memory cache, so that
    /// prefetched values do not evict shown ones.
    public var byteBudget: Int

    /// Creates a configuration.
    public init(concurrency: Int = 6, byteBudget: Int = 64 << 20) {
      (self.concurrency, self.byteBudget) = (concurrency, byteBudget)
    }
  }

  private typealias Key = ResourceKey<Decoder.Options>

  /// The visible rows or keys, whose slots take over running loads.
  private enum Visible {
    case rows(Range<Int>)
    case keys(Set<Key>)
  }

  private struct Work {
    let number: UInt64
    let row: Int?
    let start: Duration
    let task: Task<Void, Never>
  }

  private let loader: ResourceLoader<Decoder>
  private let policy: any PrefetchPolicy
  private var window: PrefetchWindow<Decoder.Options>
  private var work: [Key: Work] = [:]
  private var tasksStarted: UInt64 = 0
  private var pace = LoadPace()
  private var position: Int?
  /// The last rows of the policy; nil when the window was set directly.
  private var rows: [Int]?
  /// The number of changes of the window.
  private var generation = 0
  /// The removals from the memory cache at the last look-up of the loaded values; nil if a load has since ended without its
  /// value in memory.
  private var removals: Int?

  /// Creates a prefetcher with an empty window.
  ///
  /// - Parameter policy: Selects the rows to load. By default the next eight, and at least two and a half screens.
  public init(
    _ loader: ResourceLoader<Decoder>, policy: any PrefetchPolicy = RowsAhead(count: 8, screens: 2.5),
    configuration: Configuration = Configuration()
  ) {
    self.loader = loader
    self.policy = policy
    window = PrefetchWindow(
      concurrency: configuration.concurrency, byteBudget: configuration.byteBudget)
  }

  deinit {
    for work in work.values.sorted(by: { $0.number < $1.number }) { work.task.cancel() }
  }

  /// The number of running loads.
  package var running: Int { work.count }

  /// The time to load a row from its origin, with the time in queues: a moving mean over prefetched rows.
  public var loadTime: Duration { pace.loadTime }

  /// Loads the rows that the policy selects for `motion`, and updates the position of the memory cache.
  ///
  /// Call it with every change of the offset, and when a finger touches or leaves the list. Call it after the slots of new
  /// rows have their requests: they take over running loads, which continue as long as the row is visible. When rows in the
  /// window have new requests, call ``show(_:visible:isolation:)`` with empty lists first. O(rows) while the rows change;
  /// otherwise the complexity of the policy.
  ///
  /// - Parameter request: Returns the request of a row that enters the window; nil for a row without an image, which is asked
  ///   again when the rows change.
  public func follow(
    _ motion: ListMotion, isolation: isolated any Actor = #isolation,
    request: (_ row: Int) -> Request<Decoder.Options>?
  ) {
    if motion.position != position {
      position = motion.position
      loader.memory.position = motion.position
    }
    let rows = policy.rows(for: motion, loadTime: loadTime)
    let visible = Visible.rows(motion.visible)
    guard rows != self.rows else { return cancel(window.release { isOf(visible, $0) }) }
    self.rows = rows
    generation += 1
    let generation = generation
    var entering: [Int: Request<Decoder.Options>] = [:]
    for row in window.missing(rows) {
      let request = request(row)
      // `request` may have moved the list: then the newest motion has set the window.
      guard generation == self.generation else { return }
      guard let request else { continue }
      entering[row] = prefetching(request, row: row)
    }
    cancel(window.replace(with: rows, entering: entering, held: holder(), shown: { isOf(visible, $0) }))
    startMore(isolation: isolation)
  }

  /// Returns the priority for the slot of the visible `row`. ``Priority/visible``, unless the policy expects the row to leave
  /// the screen before it could be loaded.
  public func priority(ofVisible row: Int, in motion: ListMotion) -> Priority {
    policy.priority(ofVisible: row, for: motion, loadTime: loadTime)
  }

  /// Replaces the window, most important first. Loads that leave it are cancelled, others continue, and new ones start as
  /// the budget allows. Values in memory cause no work. O(window and visible).
  ///
  /// - Parameter visible: The requests of the old window to which slots are bound. Their loads continue as long as they are
  ///   listed here: a load cancelled now would end before a newly bound slot could join it, and start again.
  public func show(
    _ window: [Request<Decoder.Options>], visible: [Request<Decoder.Options>],
    isolation: isolated any Actor = #isolation
  ) {
    rows = nil
    generation += 1
    let window = window.map { prefetching($0, row: $0.row) }
    let visible = Visible.keys(Set(visible.map { loader.named($0).key }))
    cancel(self.window.replace(with: window, held: holder(), shown: { isOf(visible, $0) }))
    startMore(isolation: isolation)
  }

  private func prefetching(_ request: Request<Decoder.Options>, row: Int?) -> Request<Decoder.Options> {
    var request = loader.named(request).with(priority: .prefetch)
    request.row = row
    return request
  }

  /// Returns a predicate that is true for the keys whose values are in memory.
  private func holder() -> (Key) -> Bool {
    let removals = loader.memory.removals
    // Looking up each value would take most of the time of a change. Without a removal, values leave the cache only when
    // their time ends.
    if removals == self.removals, loader.reuse == .untilEvicted { return { _ in true } }
    self.removals = removals
    return { [loader] in loader.holds($0) }
  }

  /// True when the load of `key` is for something `visible`.
  private func isOf(_ visible: Visible, _ key: Key) -> Bool {
    switch visible {
    case .rows(let rows): work[key]?.row.map(rows.contains) ?? false
    case .keys(let keys): keys.contains(key)
    }
  }

  private func cancel(_ keys: [Key]) {
    for key in keys {
      guard let left = work.removeValue(forKey: key) else { continue }
      left.task.cancel()
      pace.note(atLeast: loader.timeline.now - left.start)
    }
  }

  /// Starts no new loads until ``resume(isolation:)``; running ones continue.
  public func pause() { window.isPaused = true }

  /// Starts loads again after ``pause()``.
  public func resume(isolation: isolated any Actor = #isolation) {
    window.isPaused = false
    startMore(isolation: isolation)
  }

  private func startMore(isolation: isolated any Actor) {
    while let request = window.next() {
      if let value = loader.peek(request.key) {
        window.finish(request.key, cost: loader.cost(of: value))
      } else {
        start(request, isolation: isolation)
      }
    }
  }

  private func start(_ request: Request<Decoder.Options>, isolation: isolated any Actor) {
    tasksStarted += 1
    let number = tasksStarted
    let start = loader.timeline.now
    let task = loader.timeline.spawn(priority: .utility) { [weak self, loader] in
      _ = isolation
      var cost: Int?
      // Failures are ignored: a slot that shows the value reports them.
      var isFromOrigin = false
      if let loaded = try? await loader.load(request) {
        cost = loader.cost(of: loaded.value)
        isFromOrigin = loaded.source == .network
      }
      guard let self else { return }
      if isFromOrigin { pace.note(loader.timeline.now - start) }
      finish(request.key, number: number, cost: cost, isolation: isolation)
    }
    work[request.key] = Work(number: number, row: request.row, start: start, task: task)
  }

  private func finish(_ key: Key, number: UInt64, cost: Int?, isolation: isolated any Actor) {
    let isCurrent = work[key]?.number == number
    if isCurrent { work[key] = nil }
    if cost != nil, !loader.holds(key) { removals = nil }
    window.finish(key, cost: cost, isCurrent: isCurrent)
    startMore(isolation: isolation)
  }
}
