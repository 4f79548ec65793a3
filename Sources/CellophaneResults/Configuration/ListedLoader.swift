/// A loader that the simulation can test by its name.
public enum ListedLoader: String, Sendable, Hashable, CaseIterable {
  /// This library.
  case cellophane
  /// The rules of Nuke 13.2.0.
  case nuke
  /// The rules of Kingfisher 8.11.0.
  case kingfisher
  /// The rules of Coil 3.5.0.
  case coil
  /// The rules of Glide 5.0.9.
  case glide

  /// The rules that describe the loader; nil for this library, which runs itself.
  package var rules: LoaderRules? {
    switch self {
    case .cellophane: nil
    case .nuke: .nuke
    case .kingfisher: .kingfisher
    case .coil: .coil
    case .glide: .glide
    }
  }
}

/// The rules by which an image library loads the images of a list: its defaults, as read in the sources of a released
/// version. `Documentation/loaders.md` names the file of each rule.
package struct LoaderRules: Sendable {
  /// The order in which a memory cache evicts images.
  package enum Eviction: Sendable {
    /// The least recently used image.
    case leastRecentlyUsed
    /// The oldest image that was not used since the last sweep (CLOCK).
    case secondChance
  }

  /// The name and the version of the library.
  package let version: String
  /// The maximum number of simultaneous transfers.
  package var transfers: Int
  /// The maximum number of HTTP/1.1 connections to a host, of the library's HTTP client.
  package var connectionsPerHost: Int
  /// The maximum number of simultaneous decodings.
  package var decoders: Int
  /// True if a transfer keeps its place until its image is decoded.
  package var decodesInTransfer = false
  /// True if two requests of an image share a transfer.
  package var sharesTransfers = true
  /// True if the end of all requests of an image ends its transfer. Otherwise only waiting transfers end.
  package var abortsTransfers = true
  /// The rows that are loaded ahead.
  package var prefetch: PrefetchRule
  /// The maximum number of simultaneous loads ahead; nil if they share the places of other loads.
  package var loadsAhead: Int?
  /// True if loads ahead wait until no other load waits.
  package var isAheadLast = false
  /// True if loading ahead reads a file from the disk cache into memory.
  package var readsAhead = true
  /// The eviction order of the memory cache.
  package var eviction = Eviction.leastRecentlyUsed
  /// The largest image in the memory cache, as a share of its size.
  package var largestShare = 1.0
  /// True if an image enters the memory cache when its cell is reused, and not before.
  package var keepsShownApart = false
}

extension LoaderRules {
  /// UIKit asks for prefetches; it does not document how far ahead. One screen is assumed.
  private static let ofUIKit = PrefetchRule.rows(0, screens: 1)

  /// The connections to a host of URLSession on iOS (httpMaximumConnectionsPerHost).
  private static let ofURLSession = 4
  /// The largest accepted number of transfers.
  private static let unlimited = 64

  static let nuke = LoaderRules(
    version: "Nuke 13.2.0", transfers: 6, connectionsPerHost: ofURLSession, decoders: 2, prefetch: ofUIKit,
    loadsAhead: 2,
    isAheadLast: true, eviction: .secondChance, largestShare: 0.1)

  /// Kingfisher starts every download at once; the connections of URLSession limit them over HTTP/1.1.
  static let kingfisher = LoaderRules(
    version: "Kingfisher 8.11.0", transfers: unlimited, connectionsPerHost: ofURLSession, decoders: 1,
    prefetch: ofUIKit, loadsAhead: 5, readsAhead: false)

  /// Coil has no prefetching of its own. Jetpack Compose composes about one row ahead of a moving list.
  static let coil = LoaderRules(
    version: "Coil 3.5.0", transfers: 5, connectionsPerHost: 5, decoders: 4, sharesTransfers: false,
    prefetch: .compose)

  static let glide = LoaderRules(
    version: "Glide 5.0.9", transfers: 4, connectionsPerHost: 4, decoders: 4, decodesInTransfer: true,
    abortsTransfers: false, prefetch: .rows(5), keepsShownApart: true)
}
