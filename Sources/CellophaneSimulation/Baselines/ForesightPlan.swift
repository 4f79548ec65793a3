/// The order of the transfers that leaves the least area blank, if the list moves as known for a while and rests
/// afterwards until the end of the run.
///
/// The orders are the ends of the images in the rounds of ``Oracle/maxShownArea(of:area:deliverable:rounds:onRound:)``,
/// and the area of an image at rest per byte (Smith's rule, which is optimal for a list that rests: Naval Research
/// Logistics Quarterly 3, 1956). The best of them counts.
struct ForesightPlan {
  /// An image that is visible in the known part of the run.
  struct Candidate {
    /// Its index among all images.
    let picture: Int
    /// The bytes that are missing.
    let bytes: Double
    /// Its visible areas by period, in the order of time.
    var visibleAreas: [ClairvoyantSchedule.VisibleArea] = []
    /// Its visible area in each slice at rest.
    var restingArea = 0.0

    /// The area at rest per missing byte.
    fileprivate var density: Double { restingArea / bytes }
  }

  /// The rounds of the prices. Ten leave at most 0.03 points more blank in the mean of the suite than a hundred.
  private static let rounds = 20

  /// The slices of the run that are planned: the present one, the last known one, and the last one.
  private let slices: (first: Int, known: Int, last: Int)
  /// The bytes that the link delivers by the end of each slice of the run.
  private let deliverable: [Double]
  /// The last slices of the periods: one for each known slice, and then one, two, four and so on slices at rest.
  private let periods: [Int]

  /// Creates a plan from slice `first`, with knowledge up to slice `known`.
  init(from first: Int, knownUntil known: Int, deliverable: [Double]) {
    slices = (first, known, deliverable.count - 1)
    self.deliverable = deliverable
    var periods = Array(first...known)
    var size = 1
    while let end = periods.last, end < slices.last {
      periods.append(min(slices.last, end + size))
      size *= 2
    }
    self.periods = periods
  }

  /// Returns the images of `candidates`, whose areas are those of the known slices, in the order of their transfers.
  func order(of candidates: [Candidate]) -> [Int] {
    guard candidates.count > 1 else { return candidates.map(\.picture) }
    var candidates = candidates
    for index in candidates.indices where candidates[index].restingArea > 0 {
      for period in periods.indices.dropFirst(slices.known - slices.first + 1) {
        let length = Double(periods[period] - periods[period - 1])
        candidates[index].visibleAreas.append(
          ClairvoyantSchedule.VisibleArea(
            slice: Int32(period), area: Float(candidates[index].restingArea * length)))
      }
    }
    var best = candidates.indices.sorted { precedes(candidates[$0], candidates[$1]) }
    var most = shownArea(best, of: candidates)
    let before = delivered(before: slices.first)
    _ = Oracle.maxShownArea(
      of: candidates.map { Oracle.Picture(bytes: $0.bytes, visibleAreas: $0.visibleAreas[...]) },
      area: candidates.reduce(0) { $1.visibleAreas.reduce($0) { $0 + Double($1.area) } },
      deliverable: periods.map { deliverable[$0] - before }, rounds: Self.rounds
    ) { ends in
      let order = ends.indices.sorted { first, second in
        let (end, other) = (ends[first] ?? .max, ends[second] ?? .max)
        return end == other ? precedes(candidates[first], candidates[second]) : end < other
      }
      let area = shownArea(order, of: candidates)
      if area > most { (best, most) = (order, area) }
    }
    return best.map { candidates[$0].picture }
  }

  private func delivered(before slice: Int) -> Double { slice > 0 ? deliverable[slice - 1] : 0 }

  private func precedes(_ first: Candidate, _ second: Candidate) -> Bool {
    first.density == second.density ? first.picture < second.picture : first.density > second.density
  }

  /// Returns the area that `order` shows, as planned.
  private func shownArea(_ order: [Int], of candidates: [Candidate]) -> Double {
    var (bytes, slice, area) = (delivered(before: slices.first), slices.first, 0.0)
    for candidate in order.map({ candidates[$0] }) {
      bytes += candidate.bytes
      slice = self.slice(of: bytes, from: slice)
      guard slice <= slices.last else { break }
      if slice > slices.known {
        area += candidate.restingArea * Double(slices.last - slice + 1)
      } else {
        let period = Int32(slice - slices.first)
        area += candidate.visibleAreas.reduce(0) { $0 + ($1.slice < period ? 0 : Double($1.area)) }
      }
    }
    return area
  }

  /// Returns the first slice from `first` on by whose end the link has delivered `bytes`; the number of slices if there
  /// is none.
  private func slice(of bytes: Double, from first: Int) -> Int {
    var (low, high) = (first, deliverable.count)
    while low < high {
      let middle = (low + high) / 2
      if deliverable[middle] < bytes { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
