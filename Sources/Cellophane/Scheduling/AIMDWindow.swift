/// The number of transfers from an origin that run at once while images leave the screen before they arrive. Pure.
///
/// Transfers that share a link delay each other. When that is too long for the screen, no image arrives in time; fewer
/// transfers at once, the newest first, do. TCP finds the capacity of a path by its losses; this window finds it by the
/// transfers that lose their last waiter. Each of these halves the window, and a full window of completions widens it by
/// one. Source: Chiu and Jain, "Analysis of the increase and decrease algorithms for congestion avoidance in computer
/// networks", Computer Networks and ISDN Systems 17(1), 1989.
struct AIMDWindow {
  private let most: Double
  private var width: Double

  /// Creates a window of the maximum width `most`.
  init(most: Int) {
    self.most = Double(min(max(1, most), SaturationEstimator.most))
    width = self.most
  }

  /// Returns the number of concurrent transfers on a link that `saturating` transfers saturate. Fewer would leave the link
  /// idle.
  func transfers(saturating: Int) -> Int { max(saturating, Int(width)) }

  /// Records a transfer that arrived for a waiter.
  mutating func widen() { width = min(most, width + 1 / width) }

  /// Records a transfer that lost its last waiter while it was arriving.
  mutating func narrow() { width = max(1, width / 2) }
}
