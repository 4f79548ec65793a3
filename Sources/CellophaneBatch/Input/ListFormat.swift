/// How a list tells its URLs.
package enum ListFormat: String, CaseIterable, Sendable {
  /// One URL a line.
  case lines
  /// Columns between commas, as RFC 4180 quotes them; the first record names them.
  case csv
  /// The same between tabs.
  case tsv
  /// One JSON object a line.
  case jsonl

  /// The format that the extension of a file's name tells; lines when it tells none.
  package init(ofFileNamed name: String) {
    switch name.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased() {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "jsonl", "ndjson": self = .jsonl
    default: self = .lines
    }
  }

  /// The most bytes of a line or record that are kept. 128 KB: twice the longest URL that a request takes, so that
  /// such a line still fails as too long. 1 MB where other fields stand beside it, captions and pages among them.
  package var longestRecord: Int { self == .lines ? 128 << 10 : 1 << 20 }
}

/// The column or field of a list in which the URLs are.
package struct FieldName: Equatable, Sendable, CustomStringConvertible {
  private let name: String
  private let ignoresCase: Bool

  /// The one of exactly this name.
  package init(_ name: String) {
    self.name = name
    ignoresCase = false
  }

  /// `url`, in capitals or not: what lists call it when nobody is asked.
  package static let url = FieldName(ignoringCase: "url")

  private init(ignoringCase name: String) {
    self.name = name
    ignoresCase = true
  }

  package var description: String { name }

  /// True when a field called `other` is meant.
  package func matches(_ other: String) -> Bool { ignoresCase ? other.lowercased() == name : other == name }
}
