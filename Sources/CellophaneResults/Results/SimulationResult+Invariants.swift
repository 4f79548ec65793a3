extension SimulationResult {
  /// The invariants of every run of the loader, as sums over replicas. All must be 0.
  package struct Invariants: Sendable, Hashable, Codable {
    /// How often a slot began to show the image of another row.
    package let misplaced: Int
    /// How often a transfer ran while another one of the same URL was running.
    package let duplicateInFlight: Int
    /// The number of slots that wait for an image that will never arrive. Known in virtual time only.
    package let deadlocks: Int
    /// A description of each of these slots.
    package let waiting: [String]
    /// The number of loads, transfers and decodings that continued after all requests ended and all work had
    /// time to finish.
    package let leftOver: Int
    /// The command that repeats the first replica with a broken invariant. Nil if all hold, or for the
    /// user's own images.
    package let repeatBroken: String?

    /// True if all invariants hold.
    package var hold: Bool { broken.isEmpty }

    /// A short description of each broken invariant.
    package var broken: [String] {
      var broken: [String] = []
      if misplaced > 0 { broken.append("\(misplaced) wrong images shown") }
      if duplicateInFlight > 0 { broken.append("\(duplicateInFlight) duplicate transfers in flight") }
      if deadlocks > 0 { broken.append(contentsOf: waiting) }
      if leftOver > 0 { broken.append("\(leftOver) loads, transfers or decodings not finished") }
      return broken
    }

    /// ``broken``, followed by the command that repeats it.
    package var brokenWithRepeat: [String] { broken + (repeatBroken.map { ["to repeat it: " + $0] } ?? []) }

    private enum CodingKeys: String, CodingKey {
      case misplaced, deadlocks, waiting
      case duplicateInFlight = "duplicate_inflight"
      case leftOver = "left_over"
      case repeatBroken = "repeat"
    }
  }
}
