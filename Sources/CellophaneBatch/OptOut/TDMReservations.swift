internal import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The reservations of text and data mining in `/.well-known/tdmrep.json` (W3C, TDM Reservation Protocol).
struct TDMReservations: Sendable {
  /// An element of the file.
  private struct Element: Decodable {
    let location: String
    let reservation: Int

    private enum CodingKeys: String, CodingKey {
      case location
      case reservation = "tdm-reservation"
    }
  }

  private let elements: [(pattern: PathPattern, isReserved: Bool)]

  /// The approximate size in memory, in bytes.
  var cost: Int { elements.reduce(0) { $0 + 80 + $1.pattern.length } }

  /// Reads a file. Without a valid file, nothing is reserved.
  init(_ bytes: [UInt8]) {
    let read = (try? JSONDecoder().decode([Element].self, from: Data(bytes))) ?? []
    elements = read.map { (PathPattern($0.location), $0.reservation == 1) }
  }

  /// Returns true if the longest location that matches the path is reserved.
  func reserves(_ path: [UInt8]) -> Bool {
    elements.filter { $0.pattern.matches(path) }.max { $0.pattern.length < $1.pattern.length }?.isReserved
      ?? false
  }
}
