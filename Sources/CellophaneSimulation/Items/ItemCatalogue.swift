/// What the rows of an origin are called: a thing to search for and to page through.
///
/// Twelve rows after one another are a section, of which each has the noun: "amber heron 5" is the sixth of the herons.
/// So a search for a noun finds neighbours, one for a colour finds rows all over the list.
struct ItemCatalogue: Sendable {
  /// How many rows there are.
  let rows: Int

  /// Rows of a section: about a screen and a half of a list.
  static let sectionLength = 12
  private static let colours = [
    "amber", "azure", "black", "bronze", "coral", "crimson", "golden", "green", "grey", "ivory", "lilac",
    "ochre",
    "olive", "pale", "purple", "red", "rose", "rusty", "silver", "teal", "umber", "violet", "white",
  ]
  private static let nouns = [
    "heron", "lantern", "river", "kettle", "maple", "harbour", "violin", "comet", "badger", "window",
    "orchard", "tram",
    "pebble", "falcon", "cellar", "ribbon", "meadow", "anchor", "candle", "otter", "glacier", "market",
    "sparrow",
    "bridge", "fern", "clock", "island", "teapot", "wren", "canyon", "piano",
  ]

  /// What the section of `row` is called; the words come again after the last.
  func section(of row: Int) -> String {
    let section = row / Self.sectionLength
    let (round, noun) = section.quotientAndRemainder(dividingBy: Self.nouns.count)
    return Self.nouns[noun] + (round == 0 ? "" : " \(round + 1)")
  }

  /// What `row` is called: a colour, the noun of its section, its number. No two have the same name.
  func title(of row: Int) -> String {
    let noun = Self.nouns[row / Self.sectionLength % Self.nouns.count]
    // Prime numbers of words: neighbours differ, and so do the same places of sections.
    return "\(Self.colours[row % Self.colours.count]) \(noun) \(row)"
  }

  /// The rows whose titles have every word of `query`, as their words' beginnings, in order; all for a blank one.
  /// O(rows).
  func rows(matching query: String) -> [Int] {
    let wanted = query.lowercased().split(whereSeparator: \.isWhitespace)
    guard !wanted.isEmpty else { return Array(0..<rows) }
    return (0..<rows).filter { row in
      let words = title(of: row).split(separator: " ")
      return wanted.allSatisfy { one in words.contains { $0.hasPrefix(one) } }
    }
  }
}
