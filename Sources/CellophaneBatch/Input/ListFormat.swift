/// The format of a list of URLs.
package enum ListFormat: String, CaseIterable, Sendable {
  /// One URL per line.
  case lines
  /// Comma-separated values (RFC 4180) with a header.
  case csv
  /// Tab-separated values with a header and the quotes of CSV.
  case tsv
  /// One JSON object per line.
  case jsonl

  /// Creates the format for the extension of a file name, before `.gz` or `.zst` if there is one; ``lines`` for an
  /// unknown extension.
  package init(ofFileNamed name: String) {
    var extensions = name.split(separator: "/").last?.split(separator: ".").dropFirst().map {
      $0.lowercased()
    }
    if ["gz", "zst"].contains(extensions?.last) { extensions?.removeLast() }
    switch extensions?.last {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "jsonl", "ndjson": self = .jsonl
    default: self = .lines
    }
  }

  /// The maximum length of a record in bytes. 128 KB: twice the longest URL of a request, so that a longer
  /// URL still fails as too long. 1 MB for formats with other fields, such as captions or pages.
  package var longestRecord: Int { self == .lines ? 128 << 10 : 1 << 20 }
}

/// The name of the column or field that contains the URLs.
package struct FieldName: Equatable, Sendable, CustomStringConvertible {
  private let name: String
  private let ignoresCase: Bool

  /// Creates a name that matches exactly.
  package init(_ name: String) {
    self.name = name
    ignoresCase = false
  }

  /// The default name: `url` in any case.
  package static let url = FieldName(ignoringCase: "url")

  private init(ignoringCase name: String) {
    self.name = name
    ignoresCase = true
  }

  package var description: String { name }

  /// Returns the hint for the error that none of `others` matches: one of them differs only in its case. Empty
  /// without such a name.
  func caseHint(for others: some Sequence<String>) -> String {
    others.contains { $0.lowercased() == name.lowercased() } ? "; names are case-sensitive" : ""
  }

  /// Returns whether the field with the name `other` contains the URLs.
  package func matches(_ other: String) -> Bool { ignoresCase ? other.lowercased() == name : other == name }
}
