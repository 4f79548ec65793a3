extension Recording.Series: Codable {
  /// Writes the input of ``init(from:)``.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode(step, forKey: "step_us")
    var columns = ColumnWriter(object)
    try columns.write(samples, \.offset, "offset_px")
    try columns.write(samples, \.velocity, "velocity_px_s")
    try columns.write(samples, \.blank, "blank_px_s")
    try columns.write(samples, \.area, "visible_px_s")
    try columns.write(samples, \.inFlight, "inflight")
    if samples.contains(where: { $0.memory != nil }) { try columns.write(samples, \.memory, "memory_bytes") }
  }

  /// Reads the output of ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if columns differ in length or a number is out of range.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    let step = try object.decode(Int64.self, forKey: "step_us")
    let offsets = try object.decode([Double].self, forKey: "offset_px")
    let count = offsets.count
    func column<Value: Decodable>(_ name: JSONKey) throws -> [Value] {
      let column = try object.decode([Value].self, forKey: name)
      guard column.count == count else {
        throw DecodingError.dataCorruptedError(
          forKey: name, in: object, debugDescription: "has another length than offset_px")
      }
      return column
    }
    let (velocities, blank, area): ([Double], [Double], [Double]) = (
      try column("velocity_px_s"), try column("blank_px_s"), try column("visible_px_s")
    )
    let inFlight: [Int] = try column("inflight")
    let memory: [Int?] =
      object.contains("memory_bytes") ? try column("memory_bytes") : Array(repeating: nil, count: count)
    let isSound =
      step > 0 && step <= RecordingLimits.durations.upperBound && count <= Self.limit
      && (offsets + velocities + blank + area).allSatisfy { abs($0) <= 1e15 }
    guard isSound else {
      throw DecodingError.dataCorruptedError(
        forKey: "offset_px", in: object, debugDescription: "the series has a number out of range")
    }
    self.init(
      step: step,
      samples: (0..<count).map {
        Sample(
          offset: offsets[$0], velocity: velocities[$0], blank: blank[$0], area: area[$0],
          inFlight: inFlight[$0],
          memory: memory[$0])
      })
  }
}
