internal import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The reservations of text and data mining in `/.well-known/tdmrep.json` (W3C, TDM Reservation Protocol).
struct TDMReservations: Sendable {
  /// An element of the file; without values if it is not valid.
  private struct Element: Decodable {
    var location: String?
    var reservation: Int?

    private enum CodingKeys: String, CodingKey {
      case location
      case reservation = "tdm-reservation"
    }

    init(from decoder: any Decoder) {
      guard let values = try? decoder.container(keyedBy: CodingKeys.self) else { return }
      location = try? values.decode(String.self, forKey: .location)
      reservation = try? values.decode(Int.self, forKey: .reservation)
    }
  }

  private let elements: [(pattern: PathPattern, isReserved: Bool)]

  /// The approximate size in memory, in bytes.
  var cost: Int { elements.reduce(0) { $0 + 80 + $1.pattern.length } }

  /// Reads a file. A file without an array, or of more than ``RobotsFile/longest`` bytes, reserves nothing.
  init(_ bytes: [UInt8]) {
    let read =
      bytes.count > RobotsFile.longest
      ? [] : (try? JSONDecoder().decode([Element].self, from: Data(bytes))) ?? []
    elements = read.compactMap { element in
      guard let location = element.location, let reservation = element.reservation else { return nil }
      return (PathPattern(location.utf8), reservation == 1)
    }
  }

  /// Returns true if the first or the longest location that matches the path is reserved. The specification allows both
  /// readings of the most specific match.
  func reserves(_ path: [UInt8]) -> Bool {
    let matches = elements.filter { $0.pattern.matches(path) }
    let longest = matches.max { $0.pattern.length < $1.pattern.length }
    return matches.first?.isReserved ?? false || longest?.isReserved ?? false
  }
}
