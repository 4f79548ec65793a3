internal import CellophaneCore
internal import Testing

@testable internal import CellophaneNetwork

@Suite struct RateScheduleTests {
  /// 2, 0, 0 and 5 bit/s for 10 ns each, the last one for 15 ns.
  static let schedule = RateSchedule([2, 0, 0, 5], interval: 10, period: 45)

  @Test func `the rate changes at the intervals, and repeats with the period`() {
    let times: [(Int64, Int64)] = [
      (0, 2), (9, 2), (10, 0), (29, 0), (30, 5), (44, 5), (45, 2), (55, 0), (899, 5),
    ]
    for (time, rate) in times { #expect(Self.schedule.rate(at: time) == rate, "\(time)") }
    #expect(Self.schedule.peak == 5)
    // 20 + 75 bits in 45 ns.
    #expect(Self.schedule.mean == 2)
  }

  @Test func `the next change skips equal intervals`() {
    let changes: [(Int64, Int64)] = [(0, 10), (9, 10), (10, 30), (20, 30), (30, 45), (44, 45), (45, 55)]
    for (time, change) in changes { #expect(Self.schedule.nextChange(after: time) == change, "\(time)") }
    #expect(RateSchedule([7, 7, 7], interval: 10).nextChange(after: 4) == nil)
    #expect(Self.schedule.nextFlow(from: 9) == 9)
    #expect(Self.schedule.nextFlow(from: 10) == 30)
  }

  @Test(arguments: [0, 7, 44] as [Int64])
  func `the data between two times is the sum of the rates`(start: Int64) {
    let schedule = Self.schedule.starting(at: start)
    for (first, last) in [(0, 0), (0, 5), (3, 31), (20, 200), (44, 46)] as [(Int64, Int64)] {
      let sum = (first..<last).reduce(0) { $0 + schedule.rate(at: $1) }
      #expect(schedule.bits(from: first, to: last) == Int128(sum), "\(first) to \(last)")
    }
    #expect(schedule.rate(at: 3) == Self.schedule.rate(at: 3 + start))
    #expect(schedule.mean == Self.schedule.mean)
  }

  @Test func `a scaled schedule has another mean, and the same gaps`() {
    let schedule = RateSchedule([3_000, 0, 1], interval: 10)
    #expect(schedule.mean == 1_000)
    let scaled = schedule.scaled(toMean: 4_000)
    #expect(scaled.rates == [12_000, 0, 4])
    #expect(schedule.scaled(toMean: 1_000) == schedule)
    // A rate that is not 0 stays above 0.
    #expect(schedule.scaled(toMean: 1).rates == [3, 0, 1])
  }

  static func trace(_ text: String) throws(LoadError) -> RateSchedule {
    try RateSchedule(mahimahi: Array(text.utf8), name: "a.down")
  }

  @Test func `a trace has a packet of 1500 bytes for each line`() throws {
    // 12 Mbit/s: one packet per ms.
    let constant = try Self.trace("1\n")
    #expect(constant.rates == [12_000_000] && constant.period == 1_000_000)
    let trace = try Self.trace("0\n5\n5\n19\r\n60\n61\n\n75\n")
    // The period is that of the last line, so that the last interval has 35 ms.
    #expect(trace.rates == [2_400_000, 0, 3 * 12_000_000 / 35] && trace.interval == 20_000_000)
    #expect(trace.period == 75_000_000)
    #expect(trace.rate(at: 74_999_999) == 3 * 12_000_000 / 35)
    #expect(trace.rate(at: 75_000_000) == 2_400_000)
    // Seven packets in 75 ms, and rates that are rounded down.
    #expect(trace.mean == 1_119_999)
  }

  @Test(arguments: [
    ("", "a.down has no packet after 0 ms"), ("0\n0\n", "a.down has no packet after 0 ms"),
    ("3\n2\n", "a.down, line 2: the time is earlier"),
    ("1\n\n2 3\n", "a.down, line 3: must be a time in whole ms"),
    ("-1\n", "a.down, line 1: must be"), ("1.5\n", "a.down, line 1: must be"),
    ("3600001\n", "a.down, line 1: must be a time in whole ms from 0 to 3600000"),
    ("99999999999999999999999\n", "a.down, line 1: must be"),
    (String(repeating: "1\n", count: 9_000), "a.down: the rate at 0 ms exceeds 100 Gbit/s"),
  ])
  func `a text that is not a trace is refused with its line`(text: String, message: String) {
    let error = #expect(throws: LoadError.self) { try Self.trace(text) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test func `the longest trace is accepted`() throws {
    let longest = try Self.trace("3600000\n")
    #expect(longest.rates.count == RateSchedule.maxIntervals)
    #expect(longest.rates.dropLast().allSatisfy { $0 == 0 } && longest.rates.last == 600_000)
  }

  @Test func `a network has the rates of its trace, and the mean of the trace unless it has one`() throws {
    let trace = try Self.trace("1\n40\n")
    let named = try NetworkProfile(parsing: "trace:a,b=1.down,rtt=70,up=2000")
    #expect(named.variation == .trace(file: "a,b=1.down", nil) && named.needsTrace)
    #expect(named.downBitsPerSecond == nil && named.upBitsPerSecond == 2_000_000)
    #expect(named.roundTrip == .milliseconds(70))
    let read = named.reading(trace)
    #expect(read.downBitsPerSecond == 600_000 && !read.needsTrace && read.name == named.name)
    #expect(try NetworkProfile(parsing: "trace:a,down=90").reading(trace).downBitsPerSecond == 90_000)
    #expect(try NetworkProfile(parsing: "wpt-lte").reading(trace) == NetworkProfile(parsing: "wpt-lte"))
  }

  @Test(arguments: [0, 1, 599, 600, 601, 3_000_001, 7_200_000_000_007] as [Int64])
  func `data is delivered when the schedule has delivered as much`(bits: Int64) {
    let schedule = RateSchedule([3, 0, 5], interval: 100, period: 250).starting(at: 70)
    let end = schedule.end(of: Int128(bits), from: 33)
    #expect(schedule.bits(from: 33, to: end) >= Int128(bits))
    #expect(bits == 0 ? end == 33 : schedule.bits(from: 33, to: end - 1) < Int128(bits))
  }

  @Test func `a network over sockets has no preset whose rate varies`() {
    let error = #expect(throws: LoadError.self) { try NetworkProfile(parsing: "lte", isModeled: false) }
    #expect(error?.message.contains("wpt-lte") == true && error?.message.contains("vary-") == false)
  }

  @Test func `the values behind a preset replace its own`() throws {
    let preset = try NetworkProfile(parsing: "wpt-lte")
    let changed = try NetworkProfile(parsing: "wpt-lte,loss=1%,rtt=100")
    #expect(changed.downBitsPerSecond == preset.downBitsPerSecond && changed.loss == 0.01)
    #expect(changed.roundTrip == .milliseconds(100) && changed.name == "wpt-lte,loss=1%,rtt=100")
  }
}
