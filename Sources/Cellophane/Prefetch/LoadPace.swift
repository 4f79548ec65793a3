/// How long loads take, as a moving mean.
struct LoadPace {
  /// Before the first load, half a second: two round trips of a slow mobile network, and as long for the picture
  /// (assumed).
  private(set) var loadTime = Duration.milliseconds(500)
  private var isMeasured = false

  /// Adds a load that took so long. The first counts alone, each further one for an eighth (RFC 6298, section 2: the
  /// smoothed round-trip time of TCP).
  mutating func note(_ time: Duration) {
    loadTime = isMeasured ? loadTime + (time - loadTime) / 8 : time
    isMeasured = true
  }

  /// Adds a load that was given up after so long. It only counts when it shows that loads take longer than thought:
  /// leaving those out would make a slow line look fast.
  mutating func note(atLeast time: Duration) {
    if time > loadTime { note(time) }
  }
}
