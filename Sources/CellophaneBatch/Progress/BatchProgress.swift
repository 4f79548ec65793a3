internal import Cellophane
internal import Synchronization

/// How far a run is, for whoever looks at it meanwhile.
package final class BatchProgress: Sendable {
  /// The shortest pause of the loader's own that is told. 1 s: those before another attempt are mostly shorter, and gone
  /// when somebody has read of them.
  private static let shortestPause = Duration.seconds(1)

  private let source: ListSource
  private let bytes: ByteLoader
  private let ended = Atomic<Int>(0)
  private let turns = Mutex<Turns?>(nil)

  init(_ source: ListSource, _ bytes: ByteLoader) { (self.source, self.bytes) = (source, bytes) }

  /// How much of the list is done with, from 0 to 1, which it is behind the last line only; nil when its length is not
  /// known. Lines are read long before their turn comes, so that what was read tells nothing.
  package var share: Double? { source.share(ended: ended.load(ordering: .relaxed)) }

  /// The hosts that are left alone, those for longest first; then those that get fewer at once, the fewest first.
  package var restraints: [HostRestraint] {
    var restraints = turns.withLock(\.self)?.restraints ?? []
    for (origin, rest) in bytes.openCircuits where rest >= Self.shortestPause {
      if let index = restraints.firstIndex(where: { $0.host == origin.authority }) {
        restraints[index].pause = max(restraints[index].pause ?? .zero, rest)
      } else {
        restraints.append(HostRestraint(host: origin.authority, pause: rest))
      }
    }
    return restraints.sorted { a, b in
      if a.pause != b.pause { return a.pause ?? .zero > b.pause ?? .zero }
      return (a.limit ?? .max, a.host) < (b.limit ?? .max, b.host)
    }
  }

  /// Follows `turns` from now on; nil for none.
  func follow(_ turns: Turns?) { self.turns.withLock { $0 = turns } }

  /// Counts a line that is done with.
  func end() { ended.wrappingAdd(1, ordering: .relaxed) }
}
