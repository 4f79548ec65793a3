/// A planner that knows the visible areas of a run for a limited time in advance, and the network completely. Its blank
/// share divides the gap between a loader and the ``Oracle``: the part up to the loader is not due to unknown gestures.
///
/// It transfers whole images under the assumptions of the oracle: no requests, windows or decoding, and it keeps
/// everything. In each slice it knows the visible areas of the following slices up to its horizon, and assumes that the
/// list rests from there on. It transfers the visible images in the order of a ``ForesightPlan``, and then those nearest to
/// the screen at the horizon. The next slice has a new plan; an image that is displaced keeps its bytes.
struct LimitedForesight {
  /// An image, and a part of its area.
  private struct Area {
    let picture: Int
    let area: Float
  }

  /// The missing bytes of each image.
  private let bytes: [Double]
  /// The visible areas by slice.
  private let areas: [[Area]]
  private let deliverable: [Double]
  /// Returns the images nearest to the screen of a slice, in the order of their transfers.
  private let nearest: (_ slice: Int) -> [Int]

  /// Creates planners of a run.
  ///
  /// - Parameters:
  ///   - bytes: The sizes of the images. Those after `pictures` are never visible.
  ///   - pictures: The visible areas of the images.
  ///   - deliverable: The number of bytes that the link can deliver by the end of each slice.
  ///   - nearest: Returns the images nearest to the screen of a slice, in the order of their transfers.
  init(
    bytes: [Double], visibleAreas pictures: [ArraySlice<ClairvoyantSchedule.VisibleArea>],
    deliverable: [Double],
    nearest: @escaping (_ slice: Int) -> [Int]
  ) {
    self.bytes = bytes
    // Whole bytes, whose sums are exact.
    self.deliverable = deliverable.map { $0.rounded(.down) }
    self.nearest = nearest
    var areas = [[Area]](repeating: [], count: deliverable.count)
    for (picture, visibleAreas) in pictures.enumerated() {
      for visible in visibleAreas {
        areas[Int(visible.slice)].append(Area(picture: picture, area: visible.area))
      }
    }
    self.areas = areas
  }

  /// Returns the area that a planner shows which knows `horizon` slices beyond the present one, in px² · vsyncs.
  func shownArea(horizon: Int) -> Double {
    var missing = bytes
    var (shown, before) = (0.0, 0.0)
    for slice in deliverable.indices {
      let budget = deliverable[slice] - before
      before = deliverable[slice]
      if budget > 0 { transfer(budget, in: slice, horizon: horizon, missing: &missing) }
      for one in areas[slice] where missing[one.picture] == 0 { shown += Double(one.area) }
    }
    return shown
  }

  /// Transfers `budget` bytes of the images that are `missing`.
  private func transfer(_ budget: Double, in slice: Int, horizon: Int, missing: inout [Double]) {
    var budget = budget
    func spend(on order: [Int]) {
      for picture in order where missing[picture] > 0 {
        let part = min(budget, missing[picture])
        missing[picture] -= part
        budget -= part
        if budget <= 0 { return }
      }
    }
    let known = min(deliverable.count - 1, slice + horizon)
    let candidates = candidates(from: slice, until: known, missing)
    if !candidates.isEmpty {
      spend(
        on: ForesightPlan(from: slice, knownUntil: known, deliverable: deliverable).order(of: candidates))
    }
    if budget > 0 { spend(on: nearest(known)) }
  }

  /// Returns the missing images that are visible between two slices.
  private func candidates(from first: Int, until last: Int, _ missing: [Double]) -> [ForesightPlan.Candidate]
  {
    var candidates: [ForesightPlan.Candidate] = []
    var indices: [Int: Int] = [:]
    for slice in first...last {
      for one in areas[slice] where missing[one.picture] > 0 {
        let index = indices[one.picture] ?? candidates.count
        if index == candidates.count {
          indices[one.picture] = index
          candidates.append(ForesightPlan.Candidate(picture: one.picture, bytes: missing[one.picture]))
        }
        candidates[index].visibleAreas.append(
          ClairvoyantSchedule.VisibleArea(slice: Int32(slice - first), area: one.area))
        if slice == last { candidates[index].restingArea = Double(one.area) }
      }
    }
    return candidates
  }
}

extension LimitedForesight {
  /// Creates planners of the run of `schedule` in a list of `rows` rows.
  ///
  /// - Parameter deliverable: Returns the number of bytes that the link can deliver in the first seconds of the run.
  init(
    _ schedule: ClairvoyantSchedule, _ pictures: ModeledPictures, rows: Int,
    deliverable: (_ seconds: Double) -> Double
  ) {
    var numbers = schedule.pictures.map(\.number)
    var indices = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
    let nearest = NearestPictures(schedule, rows: rows) { row in
      let number = pictures.contents.picture(of: row)
      if let index = indices[number] { return index }
      indices[number] = numbers.count
      numbers.append(number)
      return numbers.count - 1
    }
    self.init(
      bytes: numbers.map { Double(max(1, pictures.bytes(of: $0))) },
      visibleAreas: schedule.pictures.map { $0.visibleAreas[...] },
      deliverable: schedule.sliceEnds.map(deliverable), nearest: { nearest($0) })
  }
}
