public import CellophaneCore

/// An access network: its rates, which all connections share, its round trip and its loss.
public struct NetworkProfile: Hashable, Sendable, CustomStringConvertible {
  /// The name of the preset, or the text of a custom profile.
  public let name: String
  /// Bits per second to the client; nil for no limit.
  public let downBitsPerSecond: Int?
  /// Bits per second to the origin; nil for no limit.
  public let upBitsPerSecond: Int?
  /// The time from a request to the first byte of its response on an idle network.
  public let roundTrip: Duration
  /// The probability that a segment to the client is lost.
  public let loss: Double

  /// Creates a profile with the given values.
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

  /// A network without limits and delays.
  public static let unlimited = NetworkProfile(
    name: "unlimited", downBitsPerSecond: nil, upBitsPerSecond: nil, roundTrip: .zero)

  /// All presets: `unlimited` first, then by source and from slow to fast.
  ///
  /// Sources: `lh-` are the constants of Lighthouse's Lantern. `dt-` are the values that Chrome DevTools applies, its
  /// targets times its own correction (NetworkManager). `wpt-` are from WebPageTest's `connectivity.ini.sample`.
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

  /// Parses a preset's name, or `down=KBIT_S,up=KBIT_S,rtt=MS,loss=SHARE` in any order.
  ///
  /// Each of the four may be omitted: no limit, no delay, no loss. The loss is a share such as 0.01, or 1%.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the accepted forms.
  public init(parsing text: String) throws(LoadError) { try self.init(parsing: text, allowsLoss: true) }

  /// Parses a text as ``init(parsing:)`` does.
  ///
  /// - Parameter allowsLoss: Whether errors name the loss, which a network over real sockets cannot have.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the accepted forms.
  package init(parsing text: String, allowsLoss: Bool) throws(LoadError) {
    if let preset = Self.presets.first(where: { $0.name == text }) {
      self = preset
      return
    }
    guard text.contains("=") else { throw Self.unknown(text, allowsLoss) }
    var values: [Quantity: Double] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, let quantity = Quantity(rawValue: String(sides[0])), values[quantity] == nil
      else {
        let names = Self.presets.map(\.name).joined(separator: ", ")
        throw LoadError(
          .invalidRequest,
          "the network '\(text)' is neither \(Self.form(allowsLoss)) nor one of \(names)")
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

  /// Returns the error for a name that is no preset, with the presets that contain it.
  private static func unknown(_ name: String, _ allowsLoss: Bool) -> LoadError {
    let names = presets.map(\.name)
    let similar = name.isEmpty ? [] : names.filter { $0.contains(name.lowercased()) }
    let known = "presets: \(names.joined(separator: ", ")); your own: \(form(allowsLoss))"
    let advice =
      similar.isEmpty ? known : "did you mean \(similar.joined(separator: " or "))? (\(known))"
    return LoadError(.invalidRequest, "unknown network '\(name)'; \(advice)")
  }

  /// Returns the form of a custom profile.
  private static func form(_ allowsLoss: Bool) -> String {
    "down=KBIT_S,up=KBIT_S,rtt=MS" + (allowsLoss ? ",loss=SHARE" : "")
  }

  /// The name.
  public var description: String { name }

  /// A value of a custom profile.
  private enum Quantity: String {
    case down, up, rtt, loss

    /// The accepted values. Rates: from a modem of 1962 to ten times the fastest home network. Round trips: up to a
    /// minute, longer than any timeout. Loss: up to half of the segments, where no transfer makes progress.
    var meaning: String {
      switch self {
      case .down, .up: "a number of kbit/s from 1 to 100000000 without a unit, such as \(rawValue)=5000"
      case .rtt: "a number of milliseconds from 0 to 60000 without a unit, such as rtt=80"
      case .loss: "a share of segments from 0 to 0.5, or 0% to 50%"
      }
    }

    /// Returns the number in `text`, or nil when it is not accepted.
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
