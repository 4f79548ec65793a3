internal import Cellophane
internal import Synchronization

/// The set of the URLs of earlier records, by their XXH3 hashes. The seed is secret, so that a list cannot
/// contain crafted URLs that make other URLs look like duplicates.
final class SeenURLs: Sendable {
  /// The hash of a URL's text.
  struct Hash: Hashable, Sendable {
    fileprivate let bits: UInt64
  }

  private let seed: UInt64
  private let hashes = Mutex(SeenHashes())

  init(seed: UInt64) { self.seed = seed }

  func hash(_ url: String) -> Hash {
    var url = url
    return Hash(bits: url.withUTF8 { unsafe XXH3.checksum($0.span, seed: seed) })
  }

  /// Adds a URL. Returns false if the set contains it.
  func add(_ url: Hash) -> Bool { hashes.withLock { $0.add(url.bits) } }

  /// Returns whether the set contains a URL.
  func contains(_ url: Hash) -> Bool { hashes.withLock { $0.contains(url.bits) } }
}
