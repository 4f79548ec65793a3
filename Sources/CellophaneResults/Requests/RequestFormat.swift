package import Cellophane

/// The format of a file of cache requests.
package enum RequestFormat: Sendable, Hashable {
  /// `time id size`, separated by spaces, with optional further fields: webcachesim and LRB.
  case webcachesim
  /// Columns with a delimiter.
  case csv(Columns)
  /// One id per line. All sizes are 1.
  case txt
  /// libCacheSim's binary format: 24 bytes per request, little-endian: u32 time, u64 id, u32 size, i64 next
  /// request.
  case oracleGeneral
  /// Twitter's format: `timestamp,key,key size,value size,client,operation,ttl`. Only reads count.
  case twitter

  /// The columns of a CSV file, counted from 1.
  package struct Columns: Sendable, Hashable {
    /// The id.
    package var id = 2
    /// The size in bytes; nil if all sizes are 1.
    package var size: Int? = 3
    /// The row that the request is for; nil if the file has none.
    package var row: Int?
    /// The row in the middle of the screen; nil if the file has none.
    package var position: Int?
    /// The delimiter.
    package var delimiter = UInt8(ascii: ",")

    /// Creates the columns time, id and size, with commas.
    package init() {}

    /// The accepted columns: more than any trace has.
    static let numbers = 1...1_000
  }

  /// Parses `webcachesim`, `txt`, `oracleGeneral`, `twitter` or `csv`. `csv` can name its columns, counted
  /// from 1, and its delimiter: `csv:id=1,size=4,row=5,position=6,delimiter=tab`. With `size=none` all sizes
  /// are 1.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for any other text.
  package init(parsing text: String) throws(LoadError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("webcachesim", 1): self = .webcachesim
    case ("txt", 1): self = .txt
    case ("oracleGeneral", 1): self = .oracleGeneral
    case ("twitter", 1): self = .twitter
    case ("csv", _):
      var columns = Columns()
      for word in parts.dropFirst().flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
        guard columns.set(word) else {
          throw LoadError(
            .invalidRequest,
            "unknown column '\(word)'; use csv:id=N,size=N with N from 1 to 1000 or size=none, and row=N,position=N,"
              + "delimiter=comma, semicolon, tab, space or bar")
        }
      }
      self = .csv(columns)
    default:
      throw LoadError(
        .invalidRequest,
        "unknown request format '\(text)'; use webcachesim, csv, csv:id=N,size=N,row=N,position=N, txt, oracleGeneral "
          + "or twitter"
      )
    }
  }

  /// Guesses the format from the name and the first line of a file.
  init(guessedFrom name: String, firstLine: some Collection<UInt8>) {
    if name.contains("oracleGeneral") || firstLine.contains(0) {
      self = .oracleGeneral
    } else if firstLine.contains(UInt8(ascii: ",")) {
      self = firstLine.count(where: { $0 == UInt8(ascii: ",") }) >= 6 ? .twitter : .csv(Columns())
    } else {
      self = firstLine.contains(UInt8(ascii: " ")) ? .webcachesim : .txt
    }
  }

  /// The name of the format.
  package var name: String {
    switch self {
    case .webcachesim: "webcachesim"
    case .csv: "csv"
    case .txt: "txt"
    case .oracleGeneral: "oracleGeneral"
    case .twitter: "twitter"
    }
  }
}

extension RequestFormat.Columns {
  private static let delimiters: [Substring: UInt8] = [
    "comma": UInt8(ascii: ","), "semicolon": UInt8(ascii: ";"), "tab": UInt8(ascii: "\t"),
    "space": UInt8(ascii: " "), "bar": UInt8(ascii: "|"),
  ]

  /// Sets a column or the delimiter from `name=value`. Returns false if `word` has another form.
  fileprivate mutating func set(_ word: Substring) -> Bool {
    let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else { return false }
    let number = Int(sides[1]).flatMap { Self.numbers.contains($0) ? $0 : nil }
    switch (sides[0], sides[1], number) {
    case ("size", "none", _): size = nil
    case ("delimiter", let name, _):
      guard let byte = Self.delimiters[name] else { return false }
      delimiter = byte
    case ("id", _, let number?): id = number
    case ("size", _, let number?): size = number
    case ("row", _, let number?): row = number
    case ("position", _, let number?): position = number
    default: return false
    }
    return true
  }
}
