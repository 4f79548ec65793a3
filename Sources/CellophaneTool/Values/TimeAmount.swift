internal import ArgumentParser

/// A duration with an optional unit: `60` and `60s`, `1.5s`, `500ms`, `2m`, `1h`. A number without a unit is seconds.
struct TimeAmount: ExpressibleByArgument {
  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    let factors = ["": 1_000.0, "ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000]
    let unit = argument.reversed().prefix { $0.isLetter }.reversed()
    guard let number = Double(argument.dropLast(unit.count)), let factor = factors[String(unit).lowercased()]
    else { return nil }
    guard let duration = Duration.wholeMicroseconds(milliseconds: number * factor) else { return nil }
    self.duration = duration
  }

  /// The duration in whole seconds.
  var defaultValueDescription: String { "\(duration.components.seconds)s" }
}

extension Duration {
  /// Returns the duration rounded to microseconds, or nil if it cannot be represented.
  static func wholeMicroseconds(milliseconds: Double) -> Duration? {
    Int64(exactly: (milliseconds * 1_000).rounded()).map { .microseconds($0) }
  }
}
