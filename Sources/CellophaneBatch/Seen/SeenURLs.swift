internal import Cellophane
internal import Synchronization

/// The URLs that lines have asked for, by their XXH3 hashes. With a seed that nobody knows, so that no list can be made
/// in which the URLs of others pass for duplicates.
final class SeenURLs: Sendable {
  /// The hash of a URL's text.
  struct Hash: Sendable {
    fileprivate let bits: UInt64
  }

  private let seed: UInt64
  private let hashes = Mutex(SeenHashes())

  init(seed: UInt64) { self.seed = seed }

  func hash(_ url: String) -> Hash {
    var url = url
    return Hash(bits: url.withUTF8 { unsafe XXH3.checksum($0.span, seed: seed) })
  }

  /// Adds the URL; false when it was there.
  func add(_ url: Hash) -> Bool { hashes.withLock { $0.add(url.bits) } }
}
