/// The rule by which an ``Advice`` chooses.
///
/// Prefetching buys a lower blank share with bytes, and the best amount depends on facts that are not known exactly,
/// such as the readers and the network. The rule minimizes the regret: the blank share minus the lowest blank share that
/// a candidate reaches under the same conditions (Savage, "The Theory of Statistical Decision", JASA 46, 1951). It takes
/// the mean over all conditions, because the worst one alone would decide otherwise, and no condition is certain.
package enum AdviceRule {
  /// The difference of blank shares up to which settings count as equal. 0.1 points: in a minute of scrolling, one
  /// screen that is blank for 60 ms, less than the time in which a viewer notices a row (100 ms).
  package static let tolerance = 0.001

  /// The maximum number of candidates on the frontier that are compared under the variations. 4: the time of an advice
  /// grows with this number, and neighbors on the frontier differ little.
  package static let maxCompared = 4

  /// Returns the indices of the frontier: the numbers that no others beat in both blank share and bytes.
  package static func frontier(of numbers: [AdviceNumbers]) -> [Int] {
    numbers.indices.filter { index in !numbers.contains { $0.beats(numbers[index]) } }
  }

  /// Returns the indices of the candidates to compare under the variations, in ascending order: the ones of the frontier
  /// with the lowest blank shares, at most ``maxCompared``, and `configured`.
  package static func compared(of numbers: [AdviceNumbers], configured: Int) -> [Int] {
    let lowest = frontier(of: numbers).sorted { (numbers[$0].blank, $0) < (numbers[$1].blank, $1) }
    return Set(lowest.prefix(maxCompared)).union([configured]).sorted()
  }

  /// Returns the regret of each candidate under one condition, from their blank shares.
  package static func regrets(_ blank: [Double]) -> [Double] {
    let least = blank.min() ?? 0
    return blank.map { $0 - least }
  }

  /// Returns the index of the choice: of the candidates whose mean regret is within ``tolerance`` of the least one, that
  /// with the fewest bytes; of equal ones `configured`, otherwise the first.
  ///
  /// - Parameters:
  ///   - regrets: The mean regret of each candidate; at least one.
  ///   - bytes: The bytes of each candidate.
  ///   - configured: The configured candidate; nil if it is not among them.
  package static func choice(regrets: [Double], bytes: [Double], configured: Int?) -> Int {
    let least = regrets.min() ?? 0
    let equal = regrets.indices.filter { regrets[$0] <= least + tolerance }
    let fewest = equal.map { bytes[$0] }.min() ?? 0
    let best = equal.filter { bytes[$0] <= fewest }
    return best.first { $0 == configured } ?? best.first ?? 0
  }

  /// Returns the index of the first value that is enough: its blank share is within ``tolerance`` of the lowest one.
  ///
  /// - Parameter blank: The blank share at each value, in ascending order of the values; at least one.
  package static func enough(_ blank: [Double]) -> Int {
    let least = blank.min() ?? 0
    return blank.firstIndex { $0 <= least + tolerance } ?? 0
  }
}
