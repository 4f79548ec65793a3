/// Writes values as columns of JSON.
struct ColumnWriter {
  private var object: KeyedEncodingContainer<JSONKey>

  init(_ object: KeyedEncodingContainer<JSONKey>) { self.object = object }

  /// Writes one column: a property of each value.
  mutating func write<Value, Field: Encodable>(
    _ values: [Value], _ field: (Value) -> Field, _ name: String
  ) throws {
    try object.encode(values.map(field), forKey: JSONKey(name))
  }

  /// Writes the four columns of bounds.
  mutating func write<Value>(_ values: [Value], _ bounds: (Value) -> Recording.Bounds) throws {
    let bounds = values.map(bounds)
    try write(bounds, \.left, "left_px")
    try write(bounds, \.top, "top_px")
    try write(bounds, \.width, "width_px")
    try write(bounds, \.height, "height_px")
  }
}

/// Reads the columns of a ``ColumnWriter`` and validates them, because the file may come from elsewhere: all
/// columns have the same length, and all numbers are within the limits of a recording.
struct ColumnReader {
  private let object: KeyedDecodingContainer<JSONKey>
  private let limits: RecordingLimits
  private let count: Int

  init(_ object: KeyedDecodingContainer<JSONKey>, _ limits: RecordingLimits) throws {
    self.object = object
    self.limits = limits
    count = try object.decode([Int].self, forKey: "row").count
    try limits.check(count <= Recording.spanLimit, "there are more than \(Recording.spanLimit) spans")
  }

  /// Reads a column of any values.
  func values<Value: Decodable>(_ name: String) throws -> [Value] {
    let values = try object.decode([Value].self, forKey: JSONKey(name))
    try limits.check(values.count == count, "the column \(name) has another length")
    return values
  }

  /// Reads a column of numbers within `range`.
  func numbers(_ name: String, _ range: ClosedRange<Int>) throws -> [Int] {
    let numbers: [Int] = try values(name)
    try limits.check(numbers.allSatisfy(range.contains), "the column \(name) has a number out of range")
    return numbers
  }

  /// Reads a column of numbers within `range`, or null where a number is unknown.
  func numbersIfAny(_ name: String, _ range: ClosedRange<Int>) throws -> [Int?] {
    let numbers: [Int?] = try values(name)
    try limits.check(
      numbers.allSatisfy { $0.map(range.contains) ?? true }, "the column \(name) has a number out of range")
    return numbers
  }

  /// Returns true if a column has this name.
  func has(_ name: String) -> Bool { object.contains(JSONKey(name)) }

  func rows() throws -> [Int] { try numbers("row", RecordingLimits.rows) }

  func bounds() throws -> [Recording.Bounds] {
    let (left, top) = (
      try numbers("left_px", RecordingLimits.lengths), try numbers("top_px", RecordingLimits.lengths)
    )
    let (width, height) = (
      try numbers("width_px", RecordingLimits.lengths), try numbers("height_px", RecordingLimits.lengths)
    )
    return (0..<count).map {
      Recording.Bounds(left: left[$0], top: top[$0], width: width[$0], height: height[$0])
    }
  }

  /// Reads a column of times of the run, or null for an event that did not occur.
  func moments(_ name: String) throws -> [Int64?] {
    let moments: [Int64?] = try values(name)
    try limits.check(
      moments.allSatisfy { $0.map((0...limits.duration).contains) ?? true },
      "the column \(name) has a time outside the run")
    return moments
  }

  /// Reads a column of durations from the start of each of `spans`, or null where one is unknown.
  func waits(_ name: String, within spans: [Range<Int64>]) throws -> [Int64?] {
    let waits: [Int64?] = try values(name)
    try limits.check(
      zip(waits, spans).allSatisfy { wait, span in
        wait.map { (0...span.upperBound - span.lowerBound).contains($0) } ?? true
      }, "the column \(name) has a time outside its span")
    return waits
  }

  func spans() throws -> [Range<Int64>] {
    let (starts, ends) = (try moments("from_us"), try moments("to_us"))
    return try zip(starts, ends).map { start, end in
      guard let start, let end, start <= end else {
        throw limits.error("a span has no start, no end, or ends before it starts")
      }
      return start..<end
    }
  }
}

/// The limits of the numbers of a recording.
struct RecordingLimits {
  let viewport: [Int]
  let duration: Int64
  private let path: [any CodingKey]

  static let rows = 0...Int(Int32.max)
  /// The numbers of slots and decoders. A figure has one lane for each.
  static let lanes = 0...10_000
  /// At most one connection for each transfer.
  static let connections = 0...Recording.spanLimit
  /// In px. 10¹²: a billion rows as tall as the screen. Sums of such lengths do not overflow.
  static let lengths = 0...1_000_000_000_000
  static let bytes = 0...(1 << 50)
  /// In µs. One year.
  static let durations: ClosedRange<Int64> = 0...31_536_000_000_000

  init(viewport: [Int], duration: Int64, path: [any CodingKey]) throws {
    self.viewport = viewport
    self.duration = duration
    self.path = path
    try check(
      viewport.count == 2 && viewport.allSatisfy(ListLayout.lengths.contains),
      "viewport_px is not a valid screen size")
    try check(Self.durations.contains(duration), "duration_us is not a valid duration")
  }

  func check(_ holds: Bool, _ problem: String) throws {
    guard holds else { throw error(problem) }
  }

  func error(_ problem: String) -> any Error {
    DecodingError.dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: problem))
  }
}
