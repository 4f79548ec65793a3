/// A lower bound of the blank share of any loader over the same network, even of one that knows the gestures
/// in advance. No loader reaches it.
///
/// A loader needs the bytes of an image before it can show it. At any time, the link has delivered at most
/// the sum of its rate over the time since the earliest possible first byte. The bound shows a part of an
/// image as soon as the same part of its bytes has arrived, at any time within a slice of the run. It needs
/// no requests, windows, decoding or order, never fails, and keeps everything. (Previews of incomplete images
/// count as blank.) The maximum area that can be shown then is the solution of a linear program. Its
/// variables are the shares of each image that arrive in each slice, at most 1 in total. Its constraints are
/// the bytes up to the end of each slice, at most the bytes that the link can deliver.
///
/// Any choice of prices for the bytes of the link bounds this program from above (weak duality: Dantzig,
/// "Linear programming and extensions", 1963, chapter 6), so the bound holds for any prices. They are
/// improved by subgradient steps (Shor; step sizes by Duchi, Hazan and Singer, "Adaptive subgradient
/// methods", JMLR 2011) for a fixed number of rounds. The best bound counts.
struct Oracle: Sendable {
  /// The duration for which the slices are short enough. The number of slices and the steps were chosen for
  /// one minute. In a run of five minutes a slice has half a second, which loses the blank area at the start,
  /// and the rounds leave a larger gap.
  static let fineDuration = Duration.seconds(60)
  /// The number of rounds. More than 200 improve the bound by at most 0.5 % of the area, in runs of one
  /// minute.
  private static let rounds = 200
  /// The sum of the first steps of all slices, relative to the mean area per byte, because prices add up.
  /// Larger steps converge later.
  private static let step = 6.0

  /// An image: its bytes and its visible areas.
  struct Picture {
    let bytes: Double
    /// In the order of time.
    let visibleAreas: ArraySlice<ClairvoyantSchedule.VisibleArea>
  }

  /// The lower bound of the blank share of the image area, over time, 0...1; nil if no image is visible.
  let blankRatio: Double?
  /// The lower bound of the blank area, in px² · vsyncs.
  let blankArea: Double
  /// The sum of all visible areas.
  private let area: Double

  /// Computes the bound for `schedule`.
  ///
  /// - Parameters:
  ///   - bytes: Returns the size of an image's file.
  ///   - deliverable: Returns the number of bytes that the link can deliver in the first seconds of the run.
  ///   - missed: The number of vsyncs in which the screen differed from the schedule, because frames were
  ///     late.
  init(
    _ schedule: ClairvoyantSchedule, bytes: (_ picture: Int) -> Int,
    deliverable: (_ seconds: Double) -> Double, missed: Int = 0
  ) {
    let deliverable = (0..<ClairvoyantSchedule.sliceCount).map { slice in
      deliverable(Double(slice + 1) * schedule.sliceLength)
    }
    let pictures = schedule.pictures.map { picture in
      Picture(
        bytes: Double(max(1, bytes(picture.number))),
        // The link has delivered nothing before.
        visibleAreas: picture.visibleAreas.drop { deliverable[Int($0.slice)] <= 0 })
    }
    let shown = min(
      schedule.area, Self.maxShownArea(of: pictures, area: schedule.area, deliverable: deliverable))
    // In these vsyncs, the complete scheduled area might have been shown without blanks.
    let missedArea = Double(missed) * schedule.peakVisibleArea
    self.init(
      blankArea: max(0, schedule.area - shown - missedArea),
      area: schedule.area > 0 ? schedule.area + missedArea : 0)
  }

  private init(blankArea: Double, area: Double) {
    (self.blankArea, self.area) = (blankArea, area)
    blankRatio = area > 0 ? blankArea / area : nil
  }

  /// Returns the tighter bound of this one and of the `beginning` of the same run. The blank area of the
  /// beginning is a lower bound for the longer run.
  func tightened(by beginning: Oracle) -> Oracle {
    Oracle(blankArea: max(blankArea, beginning.blankArea), area: area)
  }

  /// Returns an upper bound of the area of `pictures` that can be shown. `deliverable` is the number of bytes
  /// that the link can deliver by the end of each slice.
  static func maxShownArea(of pictures: [Picture], area: Double, deliverable: [Double]) -> Double {
    let bytes = pictures.reduce(0) { $0 + $1.bytes }
    guard bytes > 0, area > 0 else { return 0 }
    let step = Self.step / Double(deliverable.count) * area / bytes
    // The additional price of a byte that arrives by the end of this slice instead of the next one.
    var surcharges = [Double](repeating: 0, count: deliverable.count)
    var squares = [Double](repeating: 0, count: deliverable.count)
    var best = area
    for _ in 0..<rounds {
      let (bound, used) = priced(pictures, surcharges: surcharges, deliverable: deliverable)
      best = min(best, bound)
      var usedSoFar = 0.0
      for slice in deliverable.indices {
        usedSoFar += used[slice]
        let slack = deliverable[slice] - usedSoFar
        if slack == 0 || (slack > 0 && surcharges[slice] == 0) { continue }
        squares[slice] += slack * slack
        surcharges[slice] = max(0, surcharges[slice] - step * slack / squares[slice].squareRoot())
      }
    }
    return best
  }

  /// Returns the bound for these prices, and the bytes that the images use in each slice.
  private static func priced(
    _ pictures: [Picture], surcharges: [Double], deliverable: [Double]
  ) -> (bound: Double, used: [Double]) {
    var prices = surcharges
    for slice in prices.indices.dropLast().reversed() { prices[slice] += prices[slice + 1] }
    var bound = zip(deliverable, surcharges).reduce(0) { $0 + $1.0 * $1.1 }
    var used = [Double](repeating: 0, count: deliverable.count)
    for picture in pictures {
      var best = 0.0
      var chosen: Int?
      // The area that is visible from this slice on.
      var area = 0.0
      for visible in picture.visibleAreas.reversed() {
        area += Double(visible.area)
        let slice = Int(visible.slice)
        let gain = area - picture.bytes * prices[slice]
        if gain > best { (best, chosen) = (gain, slice) }
      }
      guard let chosen else { continue }
      bound += best
      used[chosen] += picture.bytes
    }
    return (bound, used)
  }
}
