/// What the slots of a run asked a cache for, for other cache simulators: libCacheSim, Caffeine's, webcachesim.
///
/// A slot asks when it is given a row; what a prefetcher asks for depends on its rule and is not in it. Pictures have
/// the number of the first row that shows them, and the size that they take in memory.
public struct RequestTrace: Sendable, Hashable {
  /// One request.
  public struct Request: Sendable, Hashable {
    /// When, in µs from the start of the run.
    public let time: Int64
    /// What for: the first row with that picture.
    public let key: Int
    /// What it takes in memory, in bytes.
    public let size: Int
    /// The row that it is for.
    public let row: Int
    /// The row in the middle of the screen.
    public let position: Int
  }

  /// The requests in the order in which they were made.
  public internal(set) var requests: [Request] = []

  /// For each request, the number of the next one for the same key; nil when none follows. O(n).
  private var nextRequests: [Int?] {
    var next = [Int?](repeating: nil, count: requests.count)
    var latest: [Int: Int] = [:]
    for (index, request) in requests.enumerated() {
      if let before = latest.updateValue(index, forKey: request.key) { next[before] = index }
    }
    return next
  }

  /// The trace in libCacheSim's format `oracleGeneral`: 24 bytes a request, little-endian without gaps: the time in s
  /// (`u32`), the key (`u64`), the size (`u32`) and the number of the next request for the same key (`i64`), the
  /// largest number when there is none.
  public func oracleGeneral() -> [UInt8] {
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

  /// The trace as comma-separated values with a heading: time in s, key, size, row, and the number of the next request
  /// for the same key, -1 when there is none. libCacheSim reads it with
  /// `time-col=1, obj-id-col=2, obj-size-col=3, has-header=true`.
  public func csv() -> String {
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
