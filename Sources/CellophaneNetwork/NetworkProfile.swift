public import CellophaneCore

/// An access network: its rates, which all connections share, its round trip and its loss.
public struct NetworkProfile: Hashable, Sendable, CustomStringConvertible {
  /// The name of the preset, or the text of a custom profile.
  public let name: String
  /// Bits per second to the client, the mean of a rate that varies; nil for no limit.
  public package(set) var downBitsPerSecond: Int?
  /// Bits per second to the origin; nil for no limit.
  public package(set) var upBitsPerSecond: Int?
  /// The time from a request to the first byte of its response on an idle network.
  public package(set) var roundTrip: Duration
  /// The probability that a segment to the client is lost.
  public package(set) var loss: Double
  /// The variation of the rate to the client around its mean; nil for a constant rate.
  package var variation: RateVariation?
  /// The buffer in front of the bottleneck; nil if nothing waits there.
  package var queue: QueueDiscipline?
  /// The delay of the first transfer after the radio was idle; nil for a network without such a delay.
  package var wakeUp: RadioWakeUp?

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
  /// targets times its own correction (NetworkManager). `wpt-` are from WebPageTest's `connectivity.ini.sample`. `vary-`
  /// have rates that vary (`RateModel`). Mean and round trip of `vary-3g` and `vary-lte` are those of `wpt-3g` and
  /// `wpt-lte`, so that only the variation differs. The mean of `vary-5g` is that of five downloads at rest (Raca et al.,
  /// MMSys 2020: 46 to 130 Mbit/s, median 73), its round trip that of `lh-dense4g`. `phone-` are percentiles of phones:
  /// `phone-p90` has the rate that nine of ten 4G tests exceed (MobileBandwidthEvolution, 999 tests in 2023), and the 90th
  /// percentile over sites of the round trip of phones (CrUX of December 2024, by treo.sh). They vary as `vary-lte` does. The rate
  /// to the origin is a seventh, as in the Speedtest Global Index of December 2025 (105.7 and 14.8 Mbit/s).
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
    preset("vary-3g", 1600, 768, 300, .threeG),
    preset("vary-lte", 12_000, 12_000, 70, .lte),
    preset("vary-5g", 70_000, 10_240, 40, .fiveG),
    preset("phone-p90", 6800, 1000, 271, .lte),
    preset("phone-p75", 20_600, 3000, 209, .lte),
    preset("phone-p50", 50_700, 7200, 151, .lte),
  ]

  /// Parses a preset's name, `down=KBIT_S,up=KBIT_S,rtt=MS,loss=SHARE` in any order, or `trace:FILE`.
  ///
  /// Each of the four may be omitted: no limit, no delay, no loss. The loss is a share such as 0.01, or 1%. Behind a
  /// preset or a file they replace its values, as in `wpt-lte,loss=1%`. A trace gets the mean rate of `down`. `queue=MS`
  /// is a buffer that holds the data of this time at the mean rate, `queue=codel` one that CoDel manages. With
  /// `wake=MS` the first transfer after an idle time of `sleep=MS`, by default ten seconds, waits for the radio.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the accepted forms.
  public init(parsing text: String) throws(LoadError) { try self.init(parsing: text, isModeled: true) }

  /// Parses a text as ``init(parsing:)`` does. The file of a trace is not read.
  ///
  /// - Parameter isModeled: False for a network over real sockets, which has no loss and a constant rate. Errors then
  ///   name neither.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the accepted forms.
  package init(parsing text: String, isModeled: Bool) throws(LoadError) {
    if let preset = Self.presets.first(where: { $0.name == text }) {
      self = preset
      return
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    var base = Self.unlimited
    var own = parts[...]
    if parts[0] == Self.trace {
      base.variation = .trace(file: nil, nil)
      own = parts.dropFirst()
    } else if text.hasPrefix(Self.trace + ":") {
      // The name of a file may contain commas.
      let count = parts.reversed().prefix { Self.pair($0) != nil }.count
      let file = parts.dropLast(count).joined(separator: ",").dropFirst(Self.trace.count + 1)
      guard !file.isEmpty else {
        throw LoadError(.invalidRequest, "the network '\(text)' names no file; write trace:FILE")
      }
      base.variation = .trace(file: String(file), nil)
      own = parts.suffix(count)
    } else if let preset = Self.presets.first(where: { $0.name == parts[0] }) {
      (base, own) = (preset, parts.dropFirst())
    } else if !text.contains("=") {
      throw Self.unknown(text, isModeled)
    }
    try self.init(base, replacing: own, text, isModeled)
  }

  /// Creates `base` with the values in `parts`, under the name `text`.
  private init(
    _ base: NetworkProfile, replacing parts: ArraySlice<Substring>, _ text: String, _ isModeled: Bool
  ) throws(LoadError) {
    var values: [NetworkQuantity: Double] = [:]
    for part in parts {
      guard let (quantity, number) = Self.pair(part) else { throw Self.unknown(part, of: text, isModeled) }
      guard values[quantity] == nil else {
        throw LoadError(.invalidRequest, "the network '\(text)' sets \(quantity) twice; leave one out")
      }
      guard let value = quantity.value(of: number) else {
        throw LoadError(.invalidRequest, "'\(part)' of the network is not \(quantity.meaning)")
      }
      values[quantity] = value
    }
    self.init(
      name: text, downBitsPerSecond: values[.down].map(Self.bits) ?? base.downBitsPerSecond,
      upBitsPerSecond: values[.up].map(Self.bits) ?? base.upBitsPerSecond,
      roundTrip: values[.rtt].map(Self.duration) ?? base.roundTrip,
      loss: values[.loss] ?? base.loss)
    variation = base.variation
    queue =
      values[.queue].map { $0 == NetworkQuantity.codel ? .codel : .dropTail(Self.duration($0)) } ?? base.queue
    wakeUp = try Self.wakeUp(values, text) ?? base.wakeUp
  }

  /// Returns the radio with these values, or nil without a delay.
  private static func wakeUp(
    _ values: [NetworkQuantity: Double], _ text: String
  ) throws(LoadError) -> RadioWakeUp? {
    let (wake, sleep) = (values[.wake].map(duration), values[.sleep].map(duration))
    guard let wake else {
      guard sleep == nil else {
        throw LoadError(.invalidRequest, "sleep= of the network '\(text)' changes nothing without wake=MS")
      }
      return nil
    }
    return RadioWakeUp(delay: wake, idleTime: sleep ?? RadioWakeUp.idleTime)
  }

  private static func duration(_ milliseconds: Double) -> Duration {
    .microseconds(Int64(milliseconds * 1000))
  }

  /// Returns the quantity in `part`, such as `rtt=80`, and its number; nil if it has another form.
  private static func pair(_ part: Substring) -> (NetworkQuantity, Substring)? {
    let sides = part.split(separator: "=", maxSplits: 1)
    guard sides.count == 2, let quantity = NetworkQuantity(rawValue: String(sides[0])) else { return nil }
    return (quantity, sides[1])
  }

  /// The start of `trace:FILE`. Alone, the rates are in the scenario.
  private static let trace = "trace"

  /// Returns the names of the presets; without varying rates if the network is not modeled.
  private static func names(_ isModeled: Bool) -> [String] {
    presets.filter { isModeled || $0.variation == nil }.map(\.name)
  }

  /// Returns the error for a name that is no preset, with the presets that contain it.
  private static func unknown(_ name: String, _ isModeled: Bool) -> LoadError {
    let names = names(isModeled)
    let similar = name.isEmpty ? [] : names.filter { $0.contains(name.lowercased()) }
    let known = "presets: \(names.joined(separator: ", ")); your own: \(form(isModeled))"
    let advice =
      similar.isEmpty ? known : "did you mean \(similar.joined(separator: " or "))? (\(known))"
    return LoadError(.invalidRequest, "unknown network '\(name)'; \(advice)")
  }

  /// Returns the error for a part of a custom profile that is no value.
  private static func unknown(_ part: Substring, of text: String, _ isModeled: Bool) -> LoadError {
    let keys: [NetworkQuantity] = [.down, .up, .rtt] + (isModeled ? [.loss, .queue, .wake, .sleep] : [])
    return LoadError(
      .invalidRequest,
      "'\(part)' of the network '\(text)' sets none of \(keys.map(\.rawValue).joined(separator: ", ")); "
        + "write a value such as rtt=80, behind the name of a preset or alone")
  }

  /// Returns the form of a custom profile.
  private static func form(_ isModeled: Bool) -> String {
    "down=KBIT_S,up=KBIT_S,rtt=MS" + (isModeled ? ",loss=SHARE" : "")
  }

  /// The name.
  public var description: String { name }

  /// The part of a text that ``init(parsing:)`` needs for the variation of the rate; nil for a constant rate.
  package var variationText: String? {
    switch variation {
    case .trace(let file, _): Self.trace + (file.map { ":" + $0 } ?? "")
    case .model: Self.presets.first { $0.variation == variation }?.name
    case nil: nil
    }
  }

  /// True if the rate is that of a file which is not read.
  package var needsTrace: Bool {
    variation.map { if case .trace(_, nil) = $0 { true } else { false } } ?? false
  }

  /// Returns this profile with the rates of its trace. The mean rate is that of the trace, unless the profile has one.
  package func reading(_ schedule: RateSchedule) -> NetworkProfile {
    guard case .trace(let file, _) = variation else { return self }
    var profile = self
    profile.variation = .trace(file: file, schedule)
    profile.downBitsPerSecond = downBitsPerSecond ?? Int(schedule.mean)
    return profile
  }

  private static func bits(_ kilobits: Double) -> Int { Int((kilobits * 1000).rounded()) }

  private static func preset(
    _ name: String, _ down: Double, _ up: Double, _ milliseconds: Double, _ model: RateModel? = nil
  ) -> NetworkProfile {
    var profile = NetworkProfile(
      name: name, downBitsPerSecond: bits(down), upBitsPerSecond: bits(up),
      roundTrip: .microseconds(Int64(milliseconds * 1000)))
    profile.variation = model.map { .model($0) }
    return profile
  }
}
