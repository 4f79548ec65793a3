internal import Synchronization

/// The values computed from the most recent ICC profiles. Most images have one of a few profiles, and their values
/// take longer to compute than a thumbnail takes to decode.
final class RecentProfiles<Value: Sendable>: Sendable {
  private let entries = Mutex<[(profile: [UInt8], value: Value)]>([])

  /// The maximum number of profiles: those of a few phones, cameras and editors.
  private static var limit: Int { 8 }
  /// The maximum size of a profile. 64 KB: larger ones have tables and are rare.
  private static var mostBytes: Int { 64 << 10 }

  /// Returns the value for `profile`, which `make` computes if it is not known.
  func value(of profile: [UInt8], make: () throws(LoadError) -> Value) throws(LoadError) -> Value {
    let known = entries.withLock { entries -> Value? in
      guard let index = entries.firstIndex(where: { $0.profile == profile }) else { return nil }
      if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
      return entries[0].value
    }
    if let known { return known }
    let value = try make()
    guard profile.count <= Self.mostBytes else { return value }
    entries.withLock { entries in
      // Two images may compute the value of one profile at the same time.
      if entries.contains(where: { $0.profile == profile }) { return }
      entries.insert((profile, value), at: 0)
      if entries.count > Self.limit { entries.removeLast() }
    }
    return value
  }
}
