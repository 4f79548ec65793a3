internal import ArgumentParser
internal import CellophaneNetwork
internal import CellophaneReport
internal import CellophaneResults

/// A kind of names that options of `simulate` accept, for `--list`.
enum NameList: String, Choice {
  case networks, profiles, loaders, prefetch, policies, metrics, cases

  /// Names with their meanings.
  typealias Entries = KeyValuePairs<String, String>

  /// The scroll profiles of `--profile`.
  static let scrollProfiles: Entries = [
    "reader": "reads, and flicks gently (median pause 1.7 s, median flick 900 px/s).",
    "browser": "goes back in a third of the flicks (1 s, 1800 px/s).",
    "skimmer": "rushes through, often back to the top (0.3 s, 3500 px/s).",
    "stress": "never rests (7000 px/s).",
    "constant:PX_PER_S": "to the end, back up, and again.",
    "log:FILE": "the recording.",
  ]

  /// The loaders of `--loader`.
  static let testedLoaders: Entries = [
    "cellophane": "this library.",
    "nuke": "the rules of Nuke 13.2.0.",
    "kingfisher": "the rules of Kingfisher 8.11.0.",
    "coil": "the rules of Coil 3.5.0.",
    "glide": "the rules of Glide 5.0.9.",
  ]

  /// The prefetch policies of `--prefetch`.
  static let prefetchRules: Entries = [
    "none": "nothing.",
    "rows:N (or glide:N, or N)": "the next N rows in the direction of the scroll, as Glide does.",
    "rows:N,SCREENS": "the next N rows, and at least those of this many screens, 0 to 10.",
    "screens:AHEAD,BEHIND": "this many screens ahead and behind, each 0 to 10.",
    "asdk": "screens:2.5,1.5, as Texture does.",
    "compose": "about one row ahead of a moving list, as Jetpack Compose does.",
    "flutter": "250 px on each side.",
    "deadline": "the rows due soon at the current velocity.",
    "landing":
      "the rows until the fling ends, and eight rows or one screen beyond, whichever is more; not those that pass too fast.",
  ]

  /// The eviction policies of `--policy`.
  static let evictionRules: Entries = [
    "lru": "the least recently used image.",
    "farthest-row": "the image farthest from the middle of the screen.",
    "sieve, s3-fifo, arc, w-tinylfu": "as in the papers of these policies.",
  ]

  /// Returns `entries` as lines of the help of an option.
  static func help(_ entries: Entries) -> String {
    entries.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }

  /// The lines of `--list`.
  var lines: [String] {
    switch self {
    case .networks: Self.table(NetworkProfile.presets.map { ($0.name, $0.limits) })
    case .profiles: Self.table(Self.scrollProfiles.map { $0 })
    case .loaders: Self.table(Self.testedLoaders.map { $0 })
    case .prefetch: Self.table(Self.prefetchRules.map { $0 })
    case .policies: Self.table(Self.evictionRules.map { $0 })
    case .metrics: Self.metricLines
    case .cases: Study.suiteCases
    }
  }

  private static func table(_ entries: [(String, String)]) -> [String] {
    var table = Table(.left, .left)
    for (name, meaning) in entries { table.add(name, meaning) }
    return table.lines
  }

  /// Two lines for each metric.
  private static var metricLines: [String] {
    [
      "The metrics of simulate, as --assert and the JSON name them. In brackets: the rows of the table. "
        + "A slot is a reused cell; it shows one row at a time. " + TableRow.derivedRows, "",
    ]
      + TableRow.definitions.flatMap { one in
        let suffixes = one.names.dropFirst().map { "." + ($0.split(separator: ".").last ?? "") }
        let names = (one.names.prefix(1) + suffixes).joined(separator: " ")
        let unit = ([one.unit] + [one.better].compactMap(\.self)).joined(separator: ", ")
        return [
          names + " (" + unit + ")" + (one.rows.isEmpty ? "" : " [" + one.rows + "]"), "    " + one.meaning,
        ]
      }
  }
}

extension NetworkProfile {
  /// The download rate and the round trip, such as `12 Mbit/s, 70 ms`.
  var limits: String {
    guard let down = downBitsPerSecond else { return "no limits" }
    // Every command makes these texts for its help, and a regular expression takes most of the time of its start.
    func short(_ value: Double) -> String {
      let text = Text.decimal(value)
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let rate = down < 1_000_000 ? "\(down / 1_000) kbit/s" : short(Double(down) / 1_000_000) + " Mbit/s"
    return "\(rate), \(short(roundTrip / .milliseconds(1))) ms"
  }
}
