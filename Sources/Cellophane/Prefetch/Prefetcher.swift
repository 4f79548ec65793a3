/// Loads what is about to appear, at low priority, within a budget.
///
/// A list tells it how it moves, ``follow(_:isolation:request:)``, and a ``PrefetchPolicy`` says which rows to load;
/// or whoever knows better says what is wanted, ``show(_:visible:isolation:)``.
///
/// Like ``Slot``, it belongs to the actor that made it. A slot that asks for something which is being
/// prefetched joins that load and raises it.
public final class Prefetcher<Decoder: ResourceDecoder> {
  /// What prefetching may use.
  public struct Configuration: Sendable {
    /// Loads at once. 4: what is left of an origin's six transfers beside those reserved for visible rows. Transfers
    /// are fewer where fewer fill the line: see ``ByteLoader/Configuration/transfersPerOrigin``.
    public var concurrency = 4
    /// The bytes of decoded values in the window, beyond which nothing new is started. 64 MB: an eighth of
    /// the memory cache, so that what is prefetched does not push out what is shown.
    public var byteBudget = 64 << 20

    /// The defaults.
    public init() {}
  }

  private typealias Key = ResourceKey<Decoder.Options>

  /// What is on screen, and takes over what is being loaded for it.
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
  private var window: PrefetchWindow<Key>
  private var requests: [Key: Request<Decoder.Options>] = [:]
  private var work: [Key: Work] = [:]
  private var tasksStarted: UInt64 = 0
  private var pace = LoadPace()
  private var position: Int?
  /// What the policy said last; nil when the window is not by its word.
  private var rows: [Int]?
  /// How often the window was another.
  private var turn = 0

  /// A prefetcher with an empty window.
  ///
  /// - Parameter policy: Says which rows of a moving list are loaded. By default those on the way to where it comes to
  ///   rest, as far as it tells, and a screen beyond, as in the simulator.
  public init(
    _ loader: ResourceLoader<Decoder>, policy: any PrefetchPolicy = LandingAware(),
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

  /// How many loads run.
  public var running: Int { work.count }

  /// How long loading a row from its origin takes, waiting for a turn included: a moving mean of what was prefetched.
  public var loadTime: Duration { pace.loadTime }

  /// The list moves like this now: loads the rows that the policy names, and tells the memory cache where the list is.
  /// To be called with every change of the offset, and when a finger touches the list or leaves it, after the slots of
  /// rows that came in have their requests: they take over what is being loaded for them, which goes on as long as
  /// the row is visible. What the rows ask for is only asked when they are others than before; call
  /// ``show(_:visible:isolation:)`` first, with nothing, when the same rows have come to mean something else. O(rows) while
  /// those change, else what the policy takes.
  ///
  /// - Parameter request: What a row asks for; nil for one without a picture.
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
    turn += 1
    let turn = turn
    let window = rows.compactMap { row in
      var request = request(row)
      request?.row = row
      return request
    }
    // Whoever was asked may have moved the list: then the window is that of the newest movement.
    guard turn == self.turn else { return }
    replace(with: window, visible: visible, isolation: isolation)
  }

  /// How urgent `row` is, which is visible now: what its slot should ask with. ``Priority/visible``, unless the policy
  /// knows that the list passes over the row before it could be loaded.
  public func priority(ofVisible row: Int, in motion: ListMotion) -> Priority {
    policy.priority(ofVisible: row, for: motion, loadTime: loadTime)
  }

  /// Replaces the window, most wanted first. Loads that left it are cancelled, those that stay go on, new
  /// ones start as the budget allows. What is in memory causes no work. O(window and visible).
  ///
  /// - Parameter visible: What slots have been bound to, of what was in the window. They take over what is being loaded
  ///   for it, which goes on for as long as it is named here: if it were cancelled now, it would end before a slot
  ///   that was bound just now could join it, and begin anew.
  public func show(
    _ window: [Request<Decoder.Options>], visible: [Request<Decoder.Options>],
    isolation: isolated any Actor = #isolation
  ) {
    rows = nil
    turn += 1
    replace(
      with: window, visible: .keys(Set(visible.map { loader.named($0).key })), isolation: isolation)
  }

  private func replace(
    with window: [Request<Decoder.Options>], visible: Visible, isolation: isolated any Actor
  ) {
    let window = window.map(loader.named)
    requests = Request.prefetching(window)
    let left = self.window.replace(
      with: window.map { $0.key }, held: { loader.peek($0) != nil }, shown: { isOf(visible, $0) })
    cancel(left)
    startMore(isolation: isolation)
  }

  /// True when what runs for `key` is for something `visible`.
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

  /// Starts nothing new until ``resume(isolation:)``; what runs goes on.
  public func pause() { window.isPaused = true }

  /// Goes on.
  public func resume(isolation: isolated any Actor = #isolation) {
    window.isPaused = false
    startMore(isolation: isolation)
  }

  private func startMore(isolation: isolated any Actor) {
    while let key = window.next() {
      if let value = loader.peek(key) {
        window.finish(key, cost: loader.cost(of: value))
      } else if let request = requests[key] {
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
      // A failure is the business of the one who shows it; prefetching only tries.
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
    window.finish(key, cost: cost, isCurrent: isCurrent)
    startMore(isolation: isolation)
  }
}

extension Request {
  /// What is asked for ahead, by its key; of several for the same, the first.
  @specialized(where Options == ImageOptions)
  fileprivate static func prefetching(_ window: [Request]) -> [ResourceKey<Options>: Request] {
    var requests: [ResourceKey<Options>: Request] = Dictionary(minimumCapacity: window.count)
    for request in window where requests[request.key] == nil {
      requests[request.key] = request.with(priority: .prefetch)
    }
    return requests
  }
}
