/// The settings and services that all fetches of one loader share.
final class FetchContext: Sendable {
  let timeline: Timeline
  let events: EventHub
  let limits: TransferLimits
  let retry: RetryPolicy
  /// The deadline of loads whose requests have none.
  let deadline: Duration?
  /// Checks whether a URL may be loaded, and returns the judge of its response; nil to load all.
  let admit: (@Sendable (_ url: String) async throws(LoadError) -> ResponseJudge)?
  /// Judges the beginning of each body that arrives; nil to load all.
  let judgeBody: (@Sendable ([UInt8]) -> BodyVerdict)?
  /// The query rules; nil without any.
  let identity: URLIdentity?
  /// The request header fields that keys ignore, in lower case.
  let ignoredHeaders: Set<String>
  /// Whether stale responses may answer while their origin is asked in the background.
  let refreshesInBackground: Bool
  /// The memory for bodies; nil without a limit.
  let bodies: BodyMemory?

  init(_ configuration: ByteLoader.Configuration, timeline: Timeline, bodies: BodyMemory?) {
    self.bodies = bodies
    self.timeline = timeline
    events = EventHub(timeline: timeline)
    limits = configuration.limits
    retry = configuration.retry
    (deadline, admit, judgeBody) = (configuration.deadline, configuration.admit, configuration.judgeBody)
    identity = URLIdentity(configuration.queryRules)
    ignoredHeaders = Set(configuration.ignoredHeaders.map { $0.lowercased() })
      .filter(HeaderFields.mayBeIgnored)
    refreshesInBackground = configuration.refreshesInBackground
  }
}
