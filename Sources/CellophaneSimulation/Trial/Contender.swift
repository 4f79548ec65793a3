/// Which loader a ``Trial`` runs.
enum Contender: Sendable {
  case naive
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
