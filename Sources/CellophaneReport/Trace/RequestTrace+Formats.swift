extension RequestTrace {
  /// The index of the next request for the same key, for each request; nil for the last one. O(n).
  private var nextRequests: [Int?] {
    var next = [Int?](repeating: nil, count: requests.count)
    var latest: [Int: Int] = [:]
    for (index, request) in requests.enumerated() {
      if let before = latest.updateValue(index, forKey: request.key) { next[before] = index }
    }
    return next
  }

  /// Returns the trace in libCacheSim's format `oracleGeneral`: 24 bytes per request, little-endian without
  /// padding. The fields are the time in s (`u32`), the key (`u64`), the size (`u32`), and the index of the next
  /// request for the same key (`i64`; the maximum value for the last one).
  package func oracleGeneral() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24 * requests.count)
    func append(_ value: some FixedWidthInteger, _ bytes: inout [UInt8]) {
      for byte in 0..<value.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
    for (request, next) in zip(requests, nextRequests) {
      append(UInt32(clamping: request.time / 1_000_000), &bytes)
      append(UInt64(request.key), &bytes)
      append(UInt32(clamping: request.size), &bytes)
      append(next.map(Int64.init) ?? .max, &bytes)
    }
    return bytes
  }

  /// Returns the trace as CSV with a header line: time in s, key, size, row, and the index of the next
  /// request for the same key (-1 for the last one). libCacheSim reads it with `time-col=1, obj-id-col=2,
  /// obj-size-col=3, has-header=true`.
  package func csv() -> String {
    var text = "time_s,id,size,row,next_access_vtime\n"
    for (request, next) in zip(requests, nextRequests) {
      let (seconds, micros) = request.time.quotientAndRemainder(dividingBy: 1_000_000)
      let digits = String(micros)
      text +=
        "\(seconds).\(String(repeating: "0", count: 6 - digits.count))\(digits),\(request.key),\(request.size),"
      text += "\(request.row),\(next ?? -1)\n"
    }
    return text
  }
}
