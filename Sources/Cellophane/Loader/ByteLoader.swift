/// The road from a URL to verified bytes: disk cache, gate, transport. Shared by every typed loader, so that
/// a picture, another size of it and its raw bytes cost one download.
public final actor ByteLoader: Coalescing {
  /// What a byte loader may use.
  public struct Configuration: Sendable {
    /// Transfers at once, in all. 16: enough to hide round trips to three busy hosts.
    public var transfers = 16
    /// Transfers at once, per origin. 6: what browsers open to an HTTP/1.1 host. Fewer while what is visible goes by before
    /// it comes, but no fewer than fill the line to their origin. Those with ``Priority/prefetch`` begin
    /// only while fewer run than that, by how long its answers take to begin and to arrive,
    /// but two at any time: more would take from what is visible and come no sooner themselves.
    public var transfersPerOrigin = 6
    /// Of both, places that only visible requests take. 2: a flick's newest rows start at once, although
    /// prefetching fills the rest.
    public var reservedForVisible = 2
    /// What one transfer may cost.
    public var limits = TransferLimits()
    /// Gives what is stale at once and asks in the background, where an origin allows it (`stale-while-revalidate`).
    /// False for a process that ends with its last load, and would end before the answer: it asks first.
    public var refreshesInBackground = true
    /// Which parts of URLs do not count for what they name.
    public var queryRules: [QueryRule] = []
    /// How failures that may pass are met.
    public var retry = RetryPolicy()

    /// The defaults.
    public init() {}
  }

  /// What one flight is for. A reload must not join a load that a cache may answer, and who has a new token
  /// must not wait for the refusal of the old one.
  struct FlightKey: Hashable, Sendable {
    let response: ResponseKey
    let unkeyedHeaders: HeaderFields
    let policy: CachePolicy
    /// The origin is asked for those who have something stale meanwhile.
    var isRefresh = false
  }

  var inFlight = InFlightTable<FlightKey, CoalescedWaiter<LoadedBytes>, CoalescedWork<SharedBody>>()
  /// Where time comes from and where tasks run.
  public nonisolated let timeline: Timeline
  /// What happens in this loader and in those that stand on it.
  public nonisolated let events: EventHub
  /// The disk cache, if there is one.
  public nonisolated let disk: DiskCache?
  nonisolated let transport: any Transport
  /// Whether that one goes on within something compressed.
  nonisolated let continuesCodings: Bool
  nonisolated let gate: Gate
  nonisolated let holds: CircuitBreaker
  nonisolated let roundTrips: LatencyEstimator
  nonisolated let lines: Lines
  nonisolated let landings = CommitOrder<ResponseKey>()
  nonisolated let departures = CancelledTransfers()
  nonisolated let refreshes = Refreshes<FlightKey, LoadedBytes>()
  nonisolated let refreshesInBackground: Bool
  nonisolated let failures = KnownFailures()
  nonisolated let identity: URLIdentity?
  nonisolated let limits: TransferLimits
  nonisolated let retry: RetryPolicy

  /// A loader over `transport`, with a disk cache or without.
  public init(
    transport: some Transport, disk: DiskCache? = nil, configuration: Configuration = Configuration(),
    timeline: Timeline = Timeline()
  ) {
    self.transport = transport
    continuesCodings = transport is any CodingContinuer
    self.disk = disk
    self.timeline = timeline
    events = EventHub(timeline: timeline)
    limits = configuration.limits
    refreshesInBackground = configuration.refreshesInBackground
    roundTrips = LatencyEstimator()
    lines = Lines(roundTrips, mostAtOnce: configuration.transfersPerOrigin)
    identity = URLIdentity(configuration.queryRules)
    retry = configuration.retry
    holds = CircuitBreaker(configuration.retry, timeline: timeline, events: events)
    gate = Gate(
      limits: GateQueue.Limits(
        total: configuration.transfers, perOrigin: configuration.transfersPerOrigin,
        reserved: configuration.reservedForVisible))
    disk?.onError { [weak events] in events?.emit(.diskFailed($0)) }
  }

  /// Loads the bytes of `request`: disk, then one shared transfer.
  ///
  /// - Throws: ``LoadError``; ``LoadError/cancelled`` at once when the caller's task is cancelled, while the
  ///   transfer goes on for others who wait for it. When there are none it is aborted, unless it is about to end:
  ///   see ``Abandonment``.
  public nonisolated func load(
    _ request: Request<some Hashable & Sendable>
  ) async throws(LoadError) -> LoadedBytes {
    try await load(Errand(named(request)), priority: request.priority)
  }

  /// Waits for what still comes or is still being kept, also of loads that their callers have left, and for what the
  /// disk cache has to put in order: see ``DiskCache/settle()``. For the end of a program; the loader may be used again.
  public nonisolated func settle() async {
    await landings.emptied()
    await disk?.settle()
  }

  /// Which origins are left alone, and for how long still, in any order.
  package nonisolated var heldOrigins: [(origin: Origin, rest: Duration)] { holds.held }

  nonisolated func load(
    _ errand: Errand, priority: Priority, live: LivePriority? = nil,
    watch: (@Sendable (SharedBody) -> Void)? = nil
  ) async throws(LoadError) -> LoadedBytes {
    try await coalesce(errand.flight, priority: priority, live: live, watch: watch) {
      priority, body throws(LoadError) in
      defer { body.end(.useless) }
      var course = Course(errand)
      do throws(LoadError) {
        let loaded = try await self.answer(at: &course, priority: priority, to: body)
        return course.told(loaded)
      } catch { throw course.told(error) }
    }
  }

  /// The request under the name by which everything here knows it.
  nonisolated func named<Options>(_ request: Request<Options>) -> Request<Options> {
    guard let identity else { return request }
    return request.named(by: identity)
  }

  /// Transfers running and waiting for a turn, and keys somebody waits for or that are refreshed in the background.
  /// All zero when nothing is left.
  public var activity: (running: Int, waiting: Int, inFlight: Int) {
    let load = gate.load
    return (load.running, load.waiting, max(inFlight.count, refreshes.count))
  }
}
