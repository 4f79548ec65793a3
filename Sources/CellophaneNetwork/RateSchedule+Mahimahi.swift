package import CellophaneCore

extension RateSchedule {
  /// The amount of data that a line of a trace stands for: a packet of 1500 bytes.
  private static let packetBits: Int64 = 12_000
  /// The interval of the rates of a trace, in ms. 20 ms: about a frame of the screen, so that shorter intervals change
  /// nothing that a viewer sees. Longer ones hide gaps: in traces of LTE, 7 to 27 % of the intervals of 20 ms are
  /// empty, and 2 to 8 % of those of 100 ms. A packet per interval is 600 kbit/s, a whole number.
  private static let traceInterval = 20
  /// The maximum length of a trace, in ms: ``maxIntervals`` intervals.
  private static let maxTrace = traceInterval * maxIntervals

  /// Reads a trace of Mahimahi (Netravali et al., USENIX ATC 2015). It has one line for each packet of 1500 bytes that the
  /// network can deliver: the time in ms, in order. It repeats after the last line.
  ///
  /// - Parameter name: The name in error messages.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the number of the first invalid line, if there are no packets after
  ///   0 ms, or if the rate exceeds ``maxRate``.
  /// - Complexity: O(bytes).
  package init(mahimahi text: [UInt8], name: String) throws(LoadError) {
    func error(_ reason: String) -> LoadError { LoadError(.invalidRequest, "\(name)\(reason)") }
    // The packets of each interval.
    var packets: [Int64] = []
    var (number, last) = (0, 0)
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let digits = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if digits.isEmpty { continue }
      guard let time = Self.milliseconds(digits) else {
        throw error(", line \(number): must be a time in whole ms from 0 to \(Self.maxTrace), such as 17")
      }
      guard time >= last else { throw error(", line \(number): the time is earlier than the one before it") }
      last = time
      let index = time / Self.traceInterval
      while packets.count <= index { packets.append(0) }
      packets[index] += 1
    }
    guard last > 0 else {
      throw error(" has no packet after 0 ms; a trace has one line for each packet, with its time in ms")
    }
    // The last interval has 20 to 39 ms. The period of a trace is that of its last line, which seldom ends an interval.
    let count = max(1, last / Self.traceInterval)
    packets[count - 1] = packets[(count - 1)...].reduce(0, +)
    packets.removeSubrange(count...)
    let end = last - (count - 1) * Self.traceInterval
    let rates = packets.enumerated().map { index, packets in
      packets * Self.packetBits * 1_000 / Int64(index == count - 1 ? end : Self.traceInterval)
    }
    if let index = rates.firstIndex(where: { $0 > Self.maxRate }) {
      throw error(": the rate at \(index * Self.traceInterval) ms exceeds 100 Gbit/s")
    }
    self.init(rates, interval: Int64(Self.traceInterval) * 1_000_000, period: Int64(last) * 1_000_000)
  }

  /// Returns the number of ms in `digits`; nil if it is not a whole number within the limit.
  private static func milliseconds(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
      guard value <= maxTrace else { return nil }
    }
    return value
  }
}
