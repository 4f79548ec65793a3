/// Which loader is measured.
public enum Contender: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  /// What one writes on the first day: nothing kept, shared, cancelled or checked.
  case naive
  /// This library, which loads nothing before it comes in. Not measured when that is what the simulation is about.
  case noPrefetch = "no_prefetch"
  /// Nobody's loader: what none could undercut that knows the gestures beforehand; see ``Oracle``. Not known of the
  /// user's own pictures over their own lines.
  case oracle
  /// This library.
  case cellophane

  /// What it is called in tables and lines.
  package var title: String {
    switch self {
    case .naive, .oracle, .cellophane: rawValue
    case .noPrefetch: "on demand"
    }
  }

  /// The connections that its transport may open to a host; nil where the loader itself has a limit.
  var connectionsPerHost: Int? {
    switch self {
    // What platforms' HTTP clients and browsers allow to one HTTP/1.1 host.
    case .naive: 6
    case .noPrefetch, .oracle, .cellophane: nil
    }
  }
}
