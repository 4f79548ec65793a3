/// A loader that the simulation measures.
public enum LoaderUnderTest: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  /// A simple loader without a cache, shared transfers, cancellation or checks.
  case naive
  /// Cellophane without prefetching. Not measured if the configuration has no prefetching.
  case noPrefetch = "no_prefetch"
  /// The lower bound of any loader that knows the gestures in advance, from a relaxed schedule. Unknown for
  /// the user's images over their own networks.
  case oracle
  /// Cellophane.
  case cellophane

  /// The name in tables and other output.
  package var title: String {
    switch self {
    case .naive, .oracle, .cellophane: rawValue
    case .noPrefetch: "on demand"
    }
  }

  /// The maximum number of connections of its transport to a host; nil if the loader has its own limit.
  package var connectionsPerHost: Int? {
    switch self {
    // The limit of browsers and platform HTTP clients for an HTTP/1.1 host.
    case .naive: 6
    case .noPrefetch, .oracle, .cellophane: nil
    }
  }
}
