extension SimulationResult {
  /// What must hold in every run of the loader; sums over replicas.
  public struct Invariants: Sendable, Hashable, Codable {
    /// How often a slot came to show the picture of another row.
    public let misplaced: Int
    /// How often a transfer ran while another of the same URL was running.
    public let duplicateInFlight: Int
    /// How many slots wait for a picture that will never come. Known in virtual time only.
    public let deadlocks: Int
    /// Which slots these are, and for what they wait.
    public let waiting: [String]
    /// How many loads, transfers and decodings there still are when nobody wants anything any more and everything
    /// had its time.
    public let leftOver: Int
    /// The command that plays the first replica in which one of these broke, alone; nil when none did, or for pictures
    /// of the user's own.
    public let repeatBroken: String?

    /// True when nothing broke.
    public var hold: Bool { broken.isEmpty }

    /// What broke, each in a few words.
    public var broken: [String] {
      var broken: [String] = []
      if misplaced > 0 { broken.append("\(misplaced) wrong pictures shown") }
      if duplicateInFlight > 0 { broken.append("\(duplicateInFlight) duplicate transfers in flight") }
      if deadlocks > 0 { broken.append(contentsOf: waiting) }
      if leftOver > 0 { broken.append("\(leftOver) loads, transfers or decodings left over") }
      return broken
    }

    private enum CodingKeys: String, CodingKey {
      case misplaced, deadlocks, waiting
      case duplicateInFlight = "duplicate_inflight"
      case leftOver = "left_over"
      case repeatBroken = "repeat"
    }
  }
}
