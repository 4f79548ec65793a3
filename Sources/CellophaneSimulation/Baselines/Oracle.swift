/// A lower bound of the blank share of any loader over the same network, even of one that knows the gestures
/// in advance. No loader reaches it.
///
/// A loader needs all bytes of an image before it can show it. At any time, the link has delivered at most the
/// sum of its rates since the earliest possible first byte. The bound considers every schedule that delivers
/// whole images within these bytes. A schedule needs no requests, windows or decoding, never fails, and keeps
/// everything. It shows an image from the slice of the run on in which the last byte of the image arrives.
/// (Previews of incomplete images count as blank.)
///
/// The best schedule solves an integer program. Each image has an end, or is not loaded, and its bytes arrive
/// in the slices up to its end. (Time-indexed scheduling: Dyer and Wolsey, Discrete Applied Mathematics 26,
/// 1990.) Prices for the bytes of the link make the images independent of each other: each image takes the end
/// with the largest visible area less the price of its bytes. Any prices bound the program from above
/// (Lagrangian relaxation: Geoffrion, 1974), so the bound holds for any prices. They are improved by subgradient
/// steps for a fixed number of rounds (Shor; step sizes by Duchi, Hazan and Singer, "Adaptive subgradient
/// methods", JMLR 2011). The best bound counts.
struct Oracle: Sendable {
  /// The duration for which the slices are short enough. The number of slices and the steps were chosen for
  /// one minute. In a run of five minutes a slice has 0.17 s, which loses blank area at the start, and the
  /// rounds leave a larger gap.
  static let fineDuration = Duration.seconds(60)
  /// The number of rounds. More than 200 improve the bound by at most 0.5 % of the area, in runs of one
  /// minute.
  static let rounds = 200
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
    let deliverable = schedule.sliceEnds.map(deliverable)
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

  /// Returns an upper bound of the area of `pictures` that can be shown.
  ///
  /// - Parameters:
  ///   - deliverable: The number of bytes that the link can deliver by the end of each slice.
  ///   - rounds: The number of times that the prices are improved.
  ///   - onRound: Called with the ends that the images take in each round. An image without an end is not loaded.
  static func maxShownArea(
    of pictures: [Picture], area: Double, deliverable: [Double], rounds: Int = Self.rounds,
    onRound: ([Int?]) -> Void = { _ in }
  ) -> Double {
    let bytes = pictures.reduce(0) { $0 + $1.bytes }
    guard bytes > 0, area > 0 else { return 0 }
    let step = Self.step / Double(deliverable.count) * area / bytes
    // The additional price of a byte that arrives by the end of this slice instead of the next one.
    var surcharges = [Double](repeating: 0, count: deliverable.count)
    var squares = [Double](repeating: 0, count: deliverable.count)
    var best = area
    for _ in 0..<rounds {
      let (bound, used, ends) = priced(pictures, surcharges: surcharges, deliverable: deliverable)
      best = min(best, bound)
      onRound(ends)
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

  /// Returns the bound for these prices, the bytes that the images use in each slice, and the end of each image.
  private static func priced(
    _ pictures: [Picture], surcharges: [Double], deliverable: [Double]
  ) -> (bound: Double, used: [Double], ends: [Int?]) {
    let prices = BytePrices(surcharges: surcharges, deliverable: deliverable)
    var bound = prices.total
    var used = [Double](repeating: 0, count: deliverable.count)
    var ends = [Int?](repeating: nil, count: pictures.count)
    for (index, picture) in pictures.enumerated() {
      var best = 0.0
      var chosen: (slices: ClosedRange<Int>, first: Double)?
      // The area that is visible from this slice on.
      var area = 0.0
      var first = deliverable.count - 1
      for visible in picture.visibleAreas.reversed() {
        area += Double(visible.area)
        let last = Int(visible.slice)
        guard let purchase = prices.purchase(of: picture.bytes, endingIn: last, first: &first) else { break }
        if area - purchase.price > best {
          (best, chosen) = (area - purchase.price, (first...last, purchase.ofFirst))
        }
      }
      guard let chosen else { continue }
      bound += best
      ends[index] = chosen.slices.upperBound
      prices.add(chosen.slices, ofFirst: chosen.first, to: &used)
    }
    return (bound, used, ends)
  }
}
