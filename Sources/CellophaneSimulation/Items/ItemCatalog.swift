/// The titles of an origin's rows, for search and paging.
///
/// Twelve consecutive rows form a section and share its noun: "amber heron 5" is the sixth row of the heron
/// section. A search for a noun finds neighbors; a search for a color finds rows across the list.
struct ItemCatalog: Sendable {
  /// The number of rows.
  let rows: Int

  /// The number of rows of a section: about one and a half screens.
  static let sectionLength = 12
  private static let colors = [
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

  /// Returns the title of `row`'s section. The nouns repeat with a number.
  func section(of row: Int) -> String {
    let section = row / Self.sectionLength
    let (round, noun) = section.quotientAndRemainder(dividingBy: Self.nouns.count)
    return Self.nouns[noun] + (round == 0 ? "" : " \(round + 1)")
  }

  /// Returns the title of `row`: a color, the noun of its section, and its number. Titles are unique.
  func title(of row: Int) -> String {
    let noun = Self.nouns[row / Self.sectionLength % Self.nouns.count]
    // The numbers of words are prime: neighbors differ, and so do rows at the same position in their
    // sections.
    return "\(Self.colors[row % Self.colors.count]) \(noun) \(row)"
  }

  /// Returns the rows for which every word of `query` begins a word of the title, in ascending order. A blank
  /// query returns all rows. O(rows).
  func rows(matching query: String) -> [Int] {
    let prefixes = query.lowercased().split(whereSeparator: \.isWhitespace)
    guard !prefixes.isEmpty else { return Array(0..<rows) }
    return (0..<rows).filter { row in
      let words = title(of: row).split(separator: " ")
      return prefixes.allSatisfy { prefix in words.contains { $0.hasPrefix(prefix) } }
    }
  }
}
