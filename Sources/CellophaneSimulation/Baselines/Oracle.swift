/// The least blank share that any loader could reach which knows the gestures beforehand, over the same line: a lower
/// bound, which none reaches.
///
/// A loader needs the bytes of a picture before it can show it, and by any time the line has brought at most what its
/// rate allows since the first byte could be there. The bound lets a part of a picture be shown as soon as the same
/// part of its bytes is there, whenever within a stretch of the run that is; needs no requests, no windows, no
/// decoding and no order; never fails; and keeps everything. (PreviewSubscribers of what is not whole count as blank.) What is
/// the most area that can be shown then is a linear program: for each picture, the shares of it that arrive in each
/// stretch, at most one in all; for each stretch, the bytes until its end, at most what the line can have brought.
///
/// Every choice of prices of the line's bytes bounds that program from above (weak duality: Dantzig, "Linear programming
/// and extensions", 1963, chapter 6), so that the bound holds however good the prices are. They are improved
/// by subgradient steps (Shor; step sizes by Duchi, Hazan and Singer, "Adaptive subgradient methods", JMLR 2011) for a
/// fixed number of rounds, and the best bound counts.
struct Oracle: Sendable {
  /// How much of a run is divided finely enough. A minute, for which stretches and steps were chosen: of five, what is blank
  /// at the start is lost in the stretches of half a second and in what the rounds leave open.
  static let sharpDuration = Duration.seconds(60)
  /// The rounds of prices. More than 200 come at most 0.5 % of the area nearer, on runs of a minute.
  private static let rounds = 200
  /// The first step of all stretches together, as a share of the area that a byte is worth on the average: prices add
  /// up. Larger ones come to rest later.
  private static let step = 6.0

  /// A picture: its bytes, and when it is to be seen.
  struct Picture {
    let bytes: Double
    /// In the order of time.
    let sights: ArraySlice<Foresight.Sight>
  }

  /// The share of picture area, over time, that lacks its picture at least, 0...1; nil when none is on the screen.
  let blankRatio: Double?
  /// The area that lacks it, in px² · vsyncs.
  let blankArea: Double
  /// All that is to be seen.
  private let area: Double

  /// The bound for what `foresight` knows.
  ///
  /// - Parameters:
  ///   - bytes: The size of a picture's file.
  ///   - bitsPerSecond: The rate of the line; nil for one without a limit.
  ///   - lead: The time before which no byte of a body can be there, in s.
  ///   - missed: In how many vsyncs the screen did not show what was foreseen, because its frames came late.
  init(
    _ foresight: Foresight, bytes: (_ picture: Int) -> Int, bitsPerSecond: Int?, lead: Double, missed: Int = 0
  ) {
    let rate = bitsPerSecond.map { Double($0) / 8 } ?? 1e12
    let brought = (0..<Foresight.stretches).map { stretch in
      max(0, Double(stretch + 1) * foresight.stretch - lead) * rate
    }
    let pictures = foresight.pictures.map { picture in
      Picture(
        bytes: Double(max(1, bytes(picture.number))),
        // Nothing is there before the line has brought anything.
        sights: picture.sights.drop { brought[Int($0.stretch)] <= 0 })
    }
    let shown = min(foresight.area, Self.mostShown(of: pictures, area: foresight.area, brought: brought))
    // In these vsyncs perhaps nothing was blank, and all that was foreseen would have been.
    let unforeseen = Double(missed) * foresight.mostAtOnce
    self.init(
      blankArea: max(0, foresight.area - shown - unforeseen),
      area: foresight.area > 0 ? foresight.area + unforeseen : 0)
  }

  private init(blankArea: Double, area: Double) {
    (self.blankArea, self.area) = (blankArea, area)
    blankRatio = area > 0 ? blankArea / area : nil
  }

  /// The sharper bound of this and of what lacks its picture in the `beginning` of the same run alone, which is not less of a
  /// longer one.
  func sharpened(by beginning: Oracle) -> Oracle {
    Oracle(blankArea: max(blankArea, beginning.blankArea), area: area)
  }

  /// More area than can be shown of `pictures` when the line has `brought` so many bytes by the end of each stretch.
  static func mostShown(of pictures: [Picture], area: Double, brought: [Double]) -> Double {
    let bytes = pictures.reduce(0) { $0 + $1.bytes }
    guard bytes > 0, area > 0 else { return 0 }
    let step = Self.step / Double(brought.count) * area / bytes
    // What a byte costs more when it is there by the end of this stretch than by the end of the next.
    var surcharges = [Double](repeating: 0, count: brought.count)
    var squares = [Double](repeating: 0, count: brought.count)
    var best = area
    for _ in 0..<rounds {
      let (bound, used) = priced(pictures, surcharges: surcharges, brought: brought)
      best = min(best, bound)
      var usedSoFar = 0.0
      for stretch in brought.indices {
        usedSoFar += used[stretch]
        let slack = brought[stretch] - usedSoFar
        if slack == 0 || (slack > 0 && surcharges[stretch] == 0) { continue }
        squares[stretch] += slack * slack
        surcharges[stretch] = max(0, surcharges[stretch] - step * slack / squares[stretch].squareRoot())
      }
    }
    return best
  }

  /// The bound at these prices, and the bytes that pictures would take in each stretch.
  private static func priced(
    _ pictures: [Picture], surcharges: [Double], brought: [Double]
  ) -> (bound: Double, used: [Double]) {
    var prices = surcharges
    for stretch in prices.indices.dropLast().reversed() { prices[stretch] += prices[stretch + 1] }
    var bound = zip(brought, surcharges).reduce(0) { $0 + $1.0 * $1.1 }
    var used = [Double](repeating: 0, count: brought.count)
    for picture in pictures {
      var best = 0.0
      var chosen: Int?
      // What shows it, from that stretch on.
      var area = 0.0
      for sight in picture.sights.reversed() {
        area += Double(sight.area)
        let stretch = Int(sight.stretch)
        let gain = area - picture.bytes * prices[stretch]
        if gain > best { (best, chosen) = (gain, stretch) }
      }
      guard let chosen else { continue }
      bound += best
      used[chosen] += picture.bytes
    }
    return (bound, used)
  }
}
