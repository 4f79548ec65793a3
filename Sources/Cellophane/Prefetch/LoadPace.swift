/// The load time, as a moving mean.
struct LoadPace {
  /// 0.5 s before the first load: two round trips of a slow mobile network, and the same for the image (assumed).
  private(set) var loadTime = Duration.milliseconds(500)
  private var isMeasured = false

  /// Adds the time of a load. The first sets the mean, each further one has the weight 1/8 (RFC 6298, section 2: the
  /// smoothed round-trip time of TCP).
  mutating func note(_ time: Duration) {
    loadTime = isMeasured ? loadTime + (time - loadTime) / 8 : time
    isMeasured = true
  }

  /// Adds a load that was cancelled after `time`. It counts only when it is longer than the mean: ignoring it would make a
  /// slow link look fast.
  mutating func note(atLeast time: Duration) {
    if time > loadTime { note(time) }
  }
}
