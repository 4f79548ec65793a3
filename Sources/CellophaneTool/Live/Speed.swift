internal import ArgumentParser

/// The speed of virtual time.
enum Speed: Equatable, ExpressibleByArgument {
  /// A multiple of real time.
  case factor(Double)
  /// As fast as the processor allows.
  case max

  /// Parses `1x`, `10x`, `0.5x` or `max`; nil for any other text.
  init?(argument text: String) {
    if text == "max" {
      self = .max
      return
    }
    // 0.001: a minute takes most of a day. 1 000 000: as fast as `max`.
    guard text.hasSuffix("x"), let factor = Double(text.dropLast()), (0.001...1_000_000).contains(factor)
    else {
      return nil
    }
    self = .factor(factor)
  }

  /// The factor; nil for `max`.
  var factor: Double? {
    switch self {
    case .factor(let factor): factor
    case .max: nil
    }
  }
}
