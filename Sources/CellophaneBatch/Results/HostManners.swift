/// How hosts were treated, each since that was told last.
package struct HostTreatment: Sendable {
  /// That of a line.
  package let host: String
  package let manners: HostManners
  /// Those to which it redirects, and that had a part in what became of the line.
  package var others: [(host: String, manners: HostManners)] = []
}

/// How one host was treated, since that was told last.
package struct HostManners: Equatable, Sendable {
  /// How long something of it was under way.
  package var busy = Duration.zero
  /// The most that were under way at once.
  package var mostAtOnce = 0
  /// How many it may have at once now.
  package var limit: Int
  /// The fewest that it might have at once.
  package var leastLimit: Int
  /// How often that became fewer.
  package var backOffs = 0
  /// How often it was left alone because it asked for that.
  package var pauses = 0

  /// Nothing yet, within this limit.
  package init(limit: Int) { (self.limit, leastLimit) = (limit, limit) }

  /// Notes that it may have so many now.
  mutating func note(limit: Int) {
    if limit < self.limit { backOffs += 1 }
    self.limit = limit
    leastLimit = min(leastLimit, limit)
  }
}
