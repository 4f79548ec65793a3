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
  /// The probability that a segment is lost on its way down.
  public let loss: Double

  /// A profile from its parts.
  ///
  /// - Precondition: The rates are positive, the round trip is not negative, and the loss is in 0..<1.
  public init(
    name: String, downBitsPerSecond: Int?, upBitsPerSecond: Int?, roundTrip: Duration, loss: Double = 0
  ) {
    precondition(downBitsPerSecond ?? 1 > 0 && upBitsPerSecond ?? 1 > 0 && roundTrip >= .zero)
    precondition((0..<1).contains(loss))
    self.name = name
    self.downBitsPerSecond = downBitsPerSecond
    self.upBitsPerSecond = upBitsPerSecond
    self.roundTrip = roundTrip
    self.loss = loss
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
    preset("lh-dense4g", 10_240, 10_240, 40),
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

  /// The profile that `text` names: a preset, or `down=KBPS,up=KBPS,rtt=MS,loss=SHARE` in any order with any of
  /// the four left out (unlimited, no delay, no loss). The loss is a share such as 0.01, or 1%.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest``, naming what can be written.
  public init(parsing text: String) throws(LoadError) {
    if let preset = Self.presets.first(where: { $0.name == text }) {
      self = preset
      return
    }
    var values: [Quantity: Double] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, let quantity = Quantity(rawValue: String(sides[0])), values[quantity] == nil
      else {
        let names = Self.presets.map(\.name).joined(separator: ", ")
        throw LoadError(
          .invalidRequest,
          "the network '\(text)' is neither down=KBPS,up=KBPS,rtt=MS,loss=SHARE nor one of \(names)")
      }
      guard let value = quantity.value(of: sides[1]) else {
        throw LoadError(.invalidRequest, "'\(part)' of the network is not \(quantity.meaning)")
      }
      values[quantity] = value
    }
    self.init(
      name: text, downBitsPerSecond: values[.down].map(Self.bits),
      upBitsPerSecond: values[.up].map(Self.bits),
      roundTrip: .microseconds(Int64((values[.rtt] ?? 0) * 1000)), loss: values[.loss] ?? 0)
  }

  /// The name.
  public var description: String { name }

  /// What a custom profile says.
  private enum Quantity: String {
    case down, up, rtt, loss

    /// What it must be: a rate from a modem of 1962's to ten times the fastest line sold to homes, a round trip up to
    /// a minute, which is longer than any timeout, or less than half of all segments lost, where nothing moves.
    var meaning: String {
      switch self {
      case .down, .up: "a number of kbit/s from 1 to 100000000"
      case .rtt: "a number of milliseconds from 0 to 60000"
      case .loss: "a share of segments from 0 to 0.5, or 0% to 50%"
      }
    }

    /// The number in `text`, if it may be.
    func value(of text: Substring) -> Double? {
      let isPercent = self == .loss && text.hasSuffix("%")
      guard let number = Double(isPercent ? text.dropLast() : text) else { return nil }
      let value = isPercent ? number / 100 : number
      let range: ClosedRange<Double> =
        switch self {
        case .down, .up: 1...100_000_000
        case .rtt: 0...60_000
        case .loss: 0...0.5
        }
      return range.contains(value) ? value : nil
    }
  }

  private static func bits(_ kilobits: Double) -> Int { Int((kilobits * 1000).rounded()) }

  private static func preset(
    _ name: String, _ down: Double, _ up: Double, _ milliseconds: Double
  ) -> NetworkProfile {
    NetworkProfile(
      name: name, downBitsPerSecond: bits(down), upBitsPerSecond: bits(up),
      roundTrip: .microseconds(Int64(milliseconds * 1000)))
  }
}
