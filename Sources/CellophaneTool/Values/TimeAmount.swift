internal import ArgumentParser

/// A time, written with or without a unit: `60` and `60s`, `1.5s`, `500ms`, `2m`, `1h`. Seconds without one.
struct TimeAmount: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let factors = ["": 1_000.0, "ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000]
    let unit = argument.reversed().prefix { $0.isLetter }.reversed()
    guard let number = Double(argument.dropLast(unit.count)), let factor = factors[String(unit).lowercased()]
    else { return nil }
    guard let duration = Duration.wholeMicroseconds(milliseconds: number * factor) else { return nil }
    self.duration = duration
  }
}

extension Duration {
  /// So many ms, in whole µs; nil for what is no number of them.
  static func wholeMicroseconds(milliseconds: Double) -> Duration? {
    Int64(exactly: (milliseconds * 1_000).rounded()).map { .microseconds($0) }
  }
}
