public import Cellophane

/// How a file tells requests to a cache.
public enum RequestFormat: Sendable, Hashable {
  /// `time id size`, and whatever follows, between spaces: webcachesim and LRB.
  case webcachesim
  /// Columns between a delimiter.
  case csv(Columns)
  /// One id a line; everything is of size 1.
  case txt
  /// libCacheSim's binary: 24 bytes a request, little-endian: u32 time, u64 id, u32 size, i64 next request.
  case oracleGeneral
  /// `timestamp,key,key size,value size,client,operation,ttl`: Twitter's. Reads count, writes do not.
  case twitter

  /// Where the columns of a CSV file are, counted from 1.
  public struct Columns: Sendable, Hashable {
    /// What is asked for.
    public var id = 2
    /// What it takes to keep, in bytes; nil where everything is of size 1.
    public var size: Int? = 3
    /// The row that it is for, where the file tells one.
    public var row: Int?
    /// The row in the middle of the screen, where the file tells one.
    public var position: Int?
    /// What stands between two columns.
    public var delimiter = UInt8(ascii: ",")

    /// The time, the id and the size, between commas.
    public init() {}

    /// The columns that can be named: more than any trace has.
    static let numbers = 1...1_000
  }

  /// Reads `webcachesim`, `txt`, `oracleGeneral`, `twitter`, or `csv`, which may name its columns, counted from 1, and
  /// its delimiter: `csv:id=1,size=4,row=5,position=6,delimiter=tab`, in which `size=none` makes all sizes 1.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when it is nothing of the kind.
  public init(parsing text: String) throws(LoadError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("webcachesim", 1): self = .webcachesim
    case ("txt", 1): self = .txt
    case ("oracleGeneral", 1): self = .oracleGeneral
    case ("twitter", 1): self = .twitter
    case ("csv", _):
      var columns = Columns()
      for word in parts.dropFirst().flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
        guard columns.take(word) else {
          throw LoadError(
            .invalidRequest,
            "'\(word)' names no column; take csv:id=N,size=N with N in 1...1000 or size=none, and row=N,position=N,"
              + "delimiter=comma, semicolon, tab, space or bar")
        }
      }
      self = .csv(columns)
    default:
      throw LoadError(
        .invalidRequest,
        "no format '\(text)' of requests; take webcachesim, csv, csv:id=N,size=N, txt, oracleGeneral or twitter"
      )
    }
  }

  /// The format that a file's name and first line look like.
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
  public var name: String {
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

  /// Takes over `name=value`; false when it is none.
  fileprivate mutating func take(_ word: Substring) -> Bool {
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
