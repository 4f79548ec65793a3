/// Writes values as columns.
struct Columns {
  private var object: KeyedEncodingContainer<JSONKey>

  init(_ object: KeyedEncodingContainer<JSONKey>) { self.object = object }

  /// One column: a property of each value.
  mutating func write<Value, Field: Encodable>(
    _ values: [Value], _ field: (Value) -> Field, _ name: String
  ) throws {
    try object.encode(values.map(field), forKey: JSONKey(name))
  }

  /// Four columns, of a place.
  mutating func write<Value>(_ values: [Value], _ place: (Value) -> Recording.Place) throws {
    let places = values.map(place)
    try write(places, \.left, "left_px")
    try write(places, \.top, "top_px")
    try write(places, \.width, "width_px")
    try write(places, \.height, "height_px")
  }
}

/// Reads what ``Columns`` wrote, or somebody else, and checks it: every column as long as the first, every number
/// within what a recording can have.
struct ReadColumns {
  private let object: KeyedDecodingContainer<JSONKey>
  private let limits: RecordingLimits
  private let count: Int

  init(_ object: KeyedDecodingContainer<JSONKey>, _ limits: RecordingLimits) throws {
    self.object = object
    self.limits = limits
    count = try object.decode([Int].self, forKey: "row").count
    try limits.check(count <= Recording.spanLimit, "there are more spans than a recording has")
  }

  /// A column of any values.
  func values<Value: Decodable>(_ name: String) throws -> [Value] {
    let values = try object.decode([Value].self, forKey: JSONKey(name))
    try limits.check(values.count == count, "the column \(name) is not as long as the others")
    return values
  }

  /// A column of numbers within `range`.
  func numbers(_ name: String, _ range: ClosedRange<Int>) throws -> [Int] {
    let numbers: [Int] = try values(name)
    try limits.check(numbers.allSatisfy(range.contains), "the column \(name) has a number that cannot be")
    return numbers
  }

  /// A column of numbers within `range`, some of which are not known.
  func numbersIfAny(_ name: String, _ range: ClosedRange<Int>) throws -> [Int?] {
    let numbers: [Int?] = try values(name)
    try limits.check(
      numbers.allSatisfy { $0.map(range.contains) ?? true }, "the column \(name) has a number that cannot be")
    return numbers
  }

  /// True when there is a column of this name.
  func has(_ name: String) -> Bool { object.contains(JSONKey(name)) }

  func rows() throws -> [Int] { try numbers("row", RecordingLimits.rows) }

  func places() throws -> [Recording.Place] {
    let (left, top) = (
      try numbers("left_px", RecordingLimits.lengths), try numbers("top_px", RecordingLimits.lengths)
    )
    let (width, height) = (
      try numbers("width_px", RecordingLimits.lengths), try numbers("height_px", RecordingLimits.lengths)
    )
    return (0..<count).map {
      Recording.Place(left: left[$0], top: top[$0], width: width[$0], height: height[$0])
    }
  }

  /// Moments of the run, some of which never came.
  func moments(_ name: String) throws -> [Int64?] {
    let moments: [Int64?] = try values(name)
    try limits.check(
      moments.allSatisfy { $0.map((0...limits.duration).contains) ?? true },
      "the column \(name) has a time that is not within the run")
    return moments
  }

  /// Durations from the beginning of each of `spans` on, some of which are not known.
  func waits(_ name: String, within spans: [Range<Int64>]) throws -> [Int64?] {
    let waits: [Int64?] = try values(name)
    try limits.check(
      zip(waits, spans).allSatisfy { wait, span in
        wait.map { (0...span.upperBound - span.lowerBound).contains($0) } ?? true
      }, "the column \(name) has a time that is not within its span")
    return waits
  }

  func spans() throws -> [Range<Int64>] {
    let (starts, ends) = (try moments("from_us"), try moments("to_us"))
    return try zip(starts, ends).map { start, end in
      guard let start, let end, start <= end else {
        throw limits.error("a span has no beginning, no end, or ends before it begins")
      }
      return start..<end
    }
  }
}

/// What the numbers of a recording can be.
struct RecordingLimits {
  let viewport: [Int]
  let duration: Int64
  private let path: [any CodingKey]

  static let rows = 0...Int(Int32.max)
  /// Slots and decoders: a drawing has a line for each.
  static let lanes = 0...10_000
  /// One for each transfer at most.
  static let connections = 0...Recording.spanLimit
  /// In px. 10¹²: a billion rows that fill a screen each, and still no number that a sum makes overflow.
  static let lengths = 0...1_000_000_000_000
  static let bytes = 0...(1 << 50)
  /// In µs. A year.
  static let durations: ClosedRange<Int64> = 0...31_536_000_000_000

  init(viewport: [Int], duration: Int64, path: [any CodingKey]) throws {
    self.viewport = viewport
    self.duration = duration
    self.path = path
    try check(
      viewport.count == 2 && viewport.allSatisfy(ListLayout.lengths.contains),
      "viewport_px is no size of a screen")
    try check(Self.durations.contains(duration), "duration_us is no duration of a run")
  }

  func check(_ holds: Bool, _ problem: String) throws {
    guard holds else { throw error(problem) }
  }

  func error(_ problem: String) -> any Error {
    DecodingError.dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: problem))
  }
}
