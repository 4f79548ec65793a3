/// The evidence that tells a failure of one resource from a failure of its whole origin or host. Pure: the caller passes
/// the time.
///
/// A host that answers other resources within a moment works. A timeout or a refusal then concerns its resource alone. A
/// refusal concerns the host when nothing else was answered, or when a second resource is refused in a row.
package struct HostEvidence<Resource: Hashable & Sendable>: Sendable {
  /// The time before a request in which an answer still counts. 1 s: a request that starts right after the last answer
  /// meets the same host, and a host that has failed since then is found with the next request.
  package static var moment: Duration { .seconds(1) }

  /// The time of the last answer.
  package private(set) var lastAnswer: Duration?
  /// The resources that were refused since the last answer.
  private var refused: Set<Resource> = []

  /// The last requested resource, and the times of the last requests of it and of another one.
  private var lastAsked: (resource: Resource, time: Duration)?
  private var otherAsked: Duration?

  package init() {}

  /// Records that a request of `resource` starts.
  package mutating func asks(_ resource: Resource, at now: Duration) {
    if let lastAsked, lastAsked.resource != resource { otherAsked = lastAsked.time }
    lastAsked = (resource, now)
  }

  /// Returns whether a request of another resource than `resource` began within the moment before `now`, so that its
  /// answer may follow soon.
  package func awaitsOthers(than resource: Resource, at now: Duration) -> Bool {
    let asked = lastAsked.flatMap { $0.resource == resource ? otherAsked : $0.time }
    return asked.map { $0 > now - Self.moment } ?? false
  }

  /// Records that the host answered a request with a response that is no temporary failure.
  package mutating func answered(at now: Duration) {
    lastAnswer = now
    // The usual case costs no more than a comparison.
    if !refused.isEmpty { refused = [] }
  }

  /// Returns whether the host answered requests at the time of a request that began at `start`.
  package func answers(since start: Duration) -> Bool {
    lastAnswer.map { $0 >= start - Self.moment } ?? false
  }

  /// Records a refusal of `resource`, whose request began at `start`. Returns whether it concerns the whole host.
  package mutating func refuses(_ resource: Resource, begunAt start: Duration) -> Bool {
    // Two are enough to decide, so no more are kept.
    if refused.count < 2 { refused.insert(resource) }
    return refused.count > 1 || !answers(since: start)
  }

  /// Whether exactly one resource was refused since the last answer.
  package var isOfOne: Bool { refused.count == 1 }

  /// Whether one resource alone was refused since the last answer, and it is not `resource`. An answer to `resource` then
  /// shows that the host works.
  package func isContradicted(byAnswerTo resource: Resource) -> Bool {
    isOfOne && !refused.contains(resource)
  }
}
