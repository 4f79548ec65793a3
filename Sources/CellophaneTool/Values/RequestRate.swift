internal import ArgumentParser

/// A number of requests in a time: `20`, `20/s`, `30/min`, `100/h`. Without a time it is per second.
struct RequestRate: ExpressibleByArgument {
  let perSecond: Double

  init?(argument: String) {
    let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let seconds = ["s": 1.0, "m": 60, "min": 60, "h": 3_600]
    guard let number = parts.first.flatMap({ Double($0) }), number.isFinite, number > 0,
      let time = seconds[parts.count > 1 ? parts[1].lowercased() : "s"]
    else { return nil }
    // At least one request a day, and no more than one in a microsecond.
    guard (1.0 / 86_400...1_000_000).contains(number / time) else { return nil }
    perSecond = number / time
  }
}

/// A number of bytes per second: `500k`, `2MB`, `2MB/s`.
struct ByteRate: ExpressibleByArgument {
  let perSecond: Int

  init?(argument: String) {
    let text = argument.lowercased().hasSuffix("/s") ? String(argument.dropLast(2)) : argument
    guard let bytes = ByteCount(argument: text)?.bytes, bytes > 0 else { return nil }
    perSecond = bytes
  }
}
