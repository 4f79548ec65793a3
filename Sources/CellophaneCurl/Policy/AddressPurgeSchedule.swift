/// The schedule by which libcurl purges expired addresses from its DNS cache. Pure: the caller passes the
/// time.
///
/// libcurl 7.88 scans the cache at the end of each transfer, which takes time proportional to the number of
/// hosts used within a minute: with forty thousand, more than the transfers take. A transfer that keeps
/// addresses without a time limit skips the scan, so only some transfers have a limit.
struct AddressPurgeSchedule {
  /// The minimum time between two scans. 1 s: addresses are used up to that much longer than libcurl's
  /// minute.
  static let interval = Duration.seconds(1)

  /// The end of the last transfer that scanned the cache.
  private var lastScan: Duration?

  /// Returns whether a transfer that begins now shall purge expired addresses, starting with that of its
  /// host.
  func isDue(at now: Duration) -> Bool { lastScan.map { now - $0 >= Self.interval } ?? true }

  /// Records the end of a transfer that scanned the cache.
  mutating func noteScan(at now: Duration) { lastScan = now }
}
