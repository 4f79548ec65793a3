/// How many transfers from an origin run at once while pictures go by faster than they come. Pure.
///
/// Transfers that share a line all come later, and when that is too late for those who wait, none of them comes at all:
/// fewer at once, the newest first, are there in time. As TCP finds out what a path carries by what is lost on it, this
/// finds out how many come in time by those that nobody waits for any more: each halves the window, and as many
/// completions as it holds widen it by one (Chiu and Jain, "Analysis of the increase and decrease algorithms for
/// congestion avoidance in computer networks", Computer Networks and ISDN Systems 17(1), 1989).
struct AIMDWindow {
  private let most: Double
  private var width: Double

  /// As wide as can be: `most` at once.
  init(most: Int) {
    self.most = Double(min(max(1, most), SaturationEstimator.most))
    width = self.most
  }

  /// How many at once, when so many fill the line: fewer would leave it free.
  func transfers(filling: Int) -> Int { max(filling, Int(width)) }

  /// One came, and somebody waited for it.
  mutating func widen() { width = min(most, width + 1 / width) }

  /// One was still arriving when nobody waited for it any more.
  mutating func narrow() { width = max(1, width / 2) }
}
