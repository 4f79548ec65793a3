public import Cellophane

/// What one access line does to transfers: its rates, shared by all connections, and its round trip.
public struct NetworkProfile: Hashable, Sendable, CustomStringConvertible {
  /// The name of the preset, or the text a custom profile was read from.
  public let name: String
  /// Bits per second towards the client; nil is unlimited.
  public let downBitsPerSecond: Int?
  /// Bits per second towards the origin; nil is unlimited.
  public let upBitsPerSecond: Int?
  /// The time from a request to its answer's first byte on an idle line.
  public let roundTrip: Duration

  /// A profile from its parts.
  ///
  /// - Precondition: The rates are positive and the round trip is not negative.
  public init(name: String, downBitsPerSecond: Int?, upBitsPerSecond: Int?, roundTrip: Duration) {
    precondition(downBitsPerSecond ?? 1 > 0 && upBitsPerSecond ?? 1 > 0 && roundTrip >= .zero)
    self.name = name
    self.downBitsPerSecond = downBitsPerSecond
    self.upBitsPerSecond = upBitsPerSecond
    self.roundTrip = roundTrip
  }

  /// The line of this machine: nothing is delayed.
  public static let unlimited = NetworkProfile(
    name: "unlimited", downBitsPerSecond: nil, upBitsPerSecond: nil, roundTrip: .zero)

  /// Every preset, `unlimited` first, then by source and from slow to fast.
  ///
  /// Sources: `lh-` are Lighthouse's lantern constants; `dt-` what Chrome DevTools applies, its target
  /// times its own correction (NetworkManager); `wpt-` are WebPageTest's `connectivity.ini.sample`.
  public static let presets: [NetworkProfile] = [
    .unlimited,
    preset("lh-3g", 700, 700, 300),
    preset("lh-slow4g", 1638.4, 750, 150),
    preset("dt-slow3g", 400, 400, 2000),
    preset("dt-slow4g", 1440, 675, 562.5),
    preset("dt-fast4g", 8100, 1350, 165),
    preset("wpt-dial", 49, 30, 120),
    preset("wpt-edge", 240, 200, 840),
    preset("wpt-2g", 280, 256, 800),
    preset("wpt-3gslow", 400, 400, 400),
    preset("wpt-3g", 1600, 768, 300),
    preset("wpt-3gfast", 1600, 768, 150),
    preset("wpt-4g", 9000, 9000, 170),
    preset("wpt-4gfast", 10_240, 10_240, 40),
    preset("wpt-lte", 12_000, 12_000, 70),
    preset("wpt-dsl", 1500, 384, 50),
    preset("wpt-cable", 5000, 1000, 28),
    preset("wpt-fios", 20_000, 5000, 4),
  ]

  /// The profile that `text` names: a preset, or `down=KBPS,up=KBPS,rtt=MS` in any order with any of the
  /// three left out (unlimited, or no delay).
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest``, naming what can be written.
  public init(parsing text: String) throws(LoadError) {
    if let preset = Self.presets.first(where: { $0.name == text }) {
      self = preset
      return
    }
    var values: [Substring: Double] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, ["down", "up", "rtt"].contains(sides[0]), values[sides[0]] == nil else {
        let names = Self.presets.map(\.name).joined(separator: ", ")
        throw LoadError(
          .invalidRequest,
          "the network '\(text)' is neither down=KBPS,up=KBPS,rtt=MS nor one of \(names)")
      }
      let isRate = sides[0] != "rtt"
      let range = isRate ? Self.rates : Self.roundTrips
      guard let value = Double(sides[1]), range.contains(value) else {
        throw LoadError(
          .invalidRequest,
          "'\(part)' of the network is not a number of \(isRate ? "kbit/s" : "milliseconds") from "
            + "\(Int(range.lowerBound)) to \(Int(range.upperBound))")
      }
      values[sides[0]] = value
    }
    self.init(
      name: text, downBitsPerSecond: values["down"].map(Self.bits),
      upBitsPerSecond: values["up"].map(Self.bits),
      roundTrip: .microseconds(Int64((values["rtt"] ?? 0) * 1000)))
  }

  /// The name.
  public var description: String { name }

  // From a modem of 1962 to ten times the fastest line sold to homes; a minute is longer than any timeout.
  private static var rates: ClosedRange<Double> { 1...100_000_000 }
  private static var roundTrips: ClosedRange<Double> { 0...60_000 }

  private static func bits(_ kilobits: Double) -> Int { Int((kilobits * 1000).rounded()) }

  private static func preset(
    _ name: String, _ down: Double, _ up: Double, _ milliseconds: Double
  ) -> NetworkProfile {
    NetworkProfile(
      name: name, downBitsPerSecond: bits(down), upBitsPerSecond: bits(up),
      roundTrip: .microseconds(Int64(milliseconds * 1000)))
  }
}
