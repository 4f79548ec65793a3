/// A recording as JSON: spans as columns, so that names are not repeated thousands of times. Times are in
/// whole µs.
extension Recording: Codable {
  private enum CodingKeys: String, CodingKey {
    case appearances, transfers, decodings, series, caches
    case viewport = "viewport_px"
    case end = "until_us"
    case duration = "duration_us"
  }

  /// Writes the input of ``init(from:)``.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(viewport, forKey: .viewport)
    try object.encode(end, forKey: .end)
    try object.encode(duration, forKey: .duration)
    try object.encode(series, forKey: .series)
    try object.encode(caches, forKey: .caches)
    var columns = ColumnWriter(object.nestedContainer(keyedBy: JSONKey.self, forKey: .appearances))
    try columns.write(appearances, \.row, "row")
    try columns.write(appearances, \.slot, "slot")
    try columns.write(appearances, \.bounds)
    try columns.write(appearances, \.start, "from_us")
    try columns.write(appearances, \.end, "to_us")
    try columns.write(appearances, \.preview, "preview_us")
    try columns.write(appearances, \.shown, "shown_us")
    columns = ColumnWriter(object.nestedContainer(keyedBy: JSONKey.self, forKey: .transfers))
    try columns.write(transfers, \.row, "row")
    try columns.write(transfers, \.bounds)
    try columns.write(transfers, \.connection, "connection")
    try columns.write(transfers, \.start, "from_us")
    // Durations, because they are shorter than times: times would be a twentieth of an HTML report.
    try columns.write(transfers, { one in one.sent.map { $0 - one.start } }, "waited_us")
    try columns.write(transfers, \.firstByte, "first_byte_us")
    try columns.write(transfers, \.end, "to_us")
    try columns.write(transfers, \.bytes, "bytes")
    try columns.write(transfers, \.outcome, "outcome")
    try columns.write(transfers, \.isRepeated, "repeated")
    columns = ColumnWriter(object.nestedContainer(keyedBy: JSONKey.self, forKey: .decodings))
    try columns.write(decodings, \.row, "row")
    try columns.write(decodings, \.core, "core")
    try columns.write(decodings, \.start, "from_us")
    try columns.write(decodings, \.end, "to_us")
  }

  /// Reads the output of ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if columns differ in length or a number is out of range. A figure of such
  ///   numbers could be arbitrarily large.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    let limits = try RecordingLimits(
      viewport: object.decode([Int].self, forKey: .viewport),
      duration: object.decode(Int64.self, forKey: .duration),
      path: decoder.codingPath)
    viewport = limits.viewport
    duration = limits.duration
    end = try object.decode(Int64.self, forKey: .end)
    try limits.check((0...duration).contains(end), "until_us is outside the run")
    series = try object.decode(Series.self, forKey: .series)
    caches = try object.decodeIfPresent(CacheCurve.self, forKey: .caches)
    func columns(_ key: CodingKeys) throws -> ColumnReader {
      try ColumnReader(object.nestedContainer(keyedBy: JSONKey.self, forKey: key), limits)
    }
    appearances = try Self.appearances(columns(.appearances))
    transfers = try Self.transfers(columns(.transfers))
    decodings = try Self.decodings(columns(.decodings))
  }

  private static func appearances(_ columns: ColumnReader) throws -> [Appearance] {
    let (rows, slots) = (try columns.rows(), try columns.numbers("slot", RecordingLimits.lanes))
    let (bounds, spans) = (try columns.bounds(), try columns.spans())
    let (previews, shown) = (try columns.moments("preview_us"), try columns.moments("shown_us"))
    return rows.indices.map {
      Appearance(
        row: rows[$0], slot: slots[$0], bounds: bounds[$0], start: spans[$0].lowerBound,
        end: spans[$0].upperBound,
        preview: previews[$0], shown: shown[$0])
    }
  }

  private static func transfers(_ columns: ColumnReader) throws -> [Transfer] {
    let (rows, bounds, spans) = (try columns.rows(), try columns.bounds(), try columns.spans())
    let connections = try columns.numbersIfAny("connection", RecordingLimits.connections)
    // Results of older versions have no such column.
    let waits =
      try columns.has("waited_us") ? columns.waits("waited_us", within: spans) : rows.map { _ in nil }
    let firstBytes = try columns.moments("first_byte_us")
    let bytes = try columns.numbers("bytes", RecordingLimits.bytes)
    let outcomes: [Transfer.Outcome] = try columns.values("outcome")
    let repeated: [Bool] = try columns.values("repeated")
    return rows.indices.map {
      Transfer(
        row: rows[$0], bounds: bounds[$0], connection: connections[$0], start: spans[$0].lowerBound,
        sent: waits[$0].map { [start = spans[$0].lowerBound] in start + $0 }, firstByte: firstBytes[$0],
        end: spans[$0].upperBound, bytes: bytes[$0],
        outcome: outcomes[$0], isRepeated: repeated[$0])
    }
  }

  private static func decodings(_ columns: ColumnReader) throws -> [Decoding] {
    let (rows, spans) = (try columns.rows(), try columns.spans())
    let cores = try columns.numbers("core", RecordingLimits.lanes)
    return rows.indices.map {
      Decoding(row: rows[$0], core: cores[$0], start: spans[$0].lowerBound, end: spans[$0].upperBound)
    }
  }
}
