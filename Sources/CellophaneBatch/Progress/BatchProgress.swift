internal import Synchronization

/// How far a run is, for whoever looks at it meanwhile.
package final class BatchProgress: Sendable {
  private let source: ListSource
  private let ended = Atomic<Int>(0)

  init(_ source: ListSource) { self.source = source }

  /// How much of the list is done with, from 0 to 1, which it is behind the last line only; nil when its length is not
  /// known. Lines are read long before their turn comes, so that what was read tells nothing.
  package var share: Double? { source.share(ended: ended.load(ordering: .relaxed)) }

  /// Counts a line that is done with.
  func end() { ended.wrappingAdd(1, ordering: .relaxed) }
}
