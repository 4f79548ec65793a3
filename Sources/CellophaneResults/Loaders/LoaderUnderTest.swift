package import Cellophane

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
  /// Another loader, which the result names: see ``SimulationResult/loader``.
  case other

  /// The name in tables and other output.
  package var title: String {
    switch self {
    case .naive, .oracle, .cellophane, .other: rawValue
    case .noPrefetch: "on demand"
    }
  }

  /// The maximum number of connections of its transport to a host; nil if the loader has its own limit.
  package var connectionsPerHost: Int? {
    switch self {
    // The limit of browsers and platform HTTP clients for an HTTP/1.1 host.
    case .naive: 6
    case .noPrefetch, .oracle, .cellophane, .other: nil
    }
  }

  /// Returns the loaders that are played: those beside Cellophane, or those beside another loader under test.
  package static func played(testing isOther: Bool) -> [LoaderUnderTest] {
    isOther ? [.naive, .oracle, .cellophane, .other] : [.naive, .noPrefetch, .oracle, .cellophane]
  }
}

/// The names of loaders under test.
package enum LoaderName {
  /// The maximum length of a name, which fits the column of a table.
  private static let maxLength = 16

  /// Checks the name of a loader that is not part of the simulation.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if it is not accepted.
  package static func check(_ name: String) throws(LoadError) {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard (1...maxLength).contains(name.utf8.count), isPlain else {
      throw LoadError(
        .invalidRequest,
        "the name of a loader must have 1 to \(maxLength) letters, digits and hyphens, not '\(name.prefix(40))'"
      )
    }
    guard LoaderUnderTest(rawValue: name) == nil else {
      throw LoadError(.invalidRequest, "the simulation has its own loader '\(name)'; choose another name")
    }
  }
}
