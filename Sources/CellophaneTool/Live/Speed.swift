internal import ArgumentParser

/// How fast virtual time is to pass.
enum Speed: Equatable, ExpressibleByArgument {
  /// So many times as fast as the clock.
  case factor(Double)
  /// As fast as it can be computed.
  case max

  /// Reads `1x`, `10x`, `0.5x` or `max`; nil for anything else.
  init?(argument text: String) {
    if text == "max" {
      self = .max
      return
    }
    // A thousandth: a minute in most of a day. A million: as good as `max`.
    guard text.hasSuffix("x"), let factor = Double(text.dropLast()), (0.001...1_000_000).contains(factor)
    else {
      return nil
    }
    self = .factor(factor)
  }

  /// The factor; nil when there is none.
  var factor: Double? {
    switch self {
    case .factor(let factor): factor
    case .max: nil
    }
  }
}
