/// Which loader a ``Trial`` runs.
public enum Contender: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  /// What one writes on the first day: nothing kept, shared, cancelled or checked.
  case naive
  /// This library.
  case cellophane

  /// The connections that its transport may open to a host; nil where the loader itself has a limit.
  var connectionsPerHost: Int? {
    switch self {
    // What platforms' HTTP clients and browsers allow to one HTTP/1.1 host.
    case .naive: 6
    case .cellophane: nil
    }
  }
}
