/// When libcurl looks through the addresses that it keeps, for those that are too old. Pure: time is told.
///
/// Left to itself it does so at the end of each transfer (7.88), which takes the longer the more hosts were asked within
/// a minute: with forty thousand, longer than the transfers. A transfer that keeps addresses for ever leaves them alone,
/// so mostly they do, and now and then one does not.
struct AddressUpkeep {
  /// How long addresses are left alone. 1 s: so much longer than the minute that libcurl has for them they are used.
  static let interval = Duration.seconds(1)

  /// When a transfer that looked through them ended last.
  private var lastAt: Duration?

  /// Whether a transfer that begins now is to look for addresses that are too old, its own host's first.
  func isDue(at now: Duration) -> Bool { lastAt.map { now - $0 >= Self.interval } ?? true }

  /// Notes that one which did has ended.
  mutating func end(at now: Duration) { lastAt = now }
}
