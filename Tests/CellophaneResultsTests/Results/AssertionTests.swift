internal import Foundation
import Cellophane
import Testing

@testable import CellophaneResults
internal import SimulationTestSupport

@Suite struct AssertionTests {
  static func result() throws -> SimulationResult {
    let run = ResultFixture.run(
      waits: [ResultFixture.wait(100), ResultFixture.wait(900, false)],
      [.blankRatio: 0.04, .bytesDown: 2_500_000, .misplacedEvents: 0, .hitches: 3, .memoryHits: 0.5])
    let oracle = ResultFixture.run(waits: [], [.blankRatio: 0.015])
    return try ResultFixture.result(run, oracle: oracle, time: .virtual)
  }

  @Test(
    arguments: [
      ("blank_ratio<0.05", true), ("blank_ratio<0.04", false), ("blank_ratio<=0.04", true),
      ("blank_ratio < 5%", true), ("blank_ratio>3.9 %", true), ("blank_ratio>=0.05", false),
      ("misplaced_events==0", true), ("misplaced_events==1", false), ("hit_ratio.memory>=50%", true),
      ("bytes_down<3MB", true), ("bytes_down<2500kB", false), ("bytes_down==2500000", true),
      ("time_to_image.p50<400ms", true), ("time_to_image.p50<0.05s", false), ("time_to_image.p50==100", true),
      ("hitch_ms_per_s<5ms/s", true), ("blank_ratio>-1", true), ("blank_ratio<1e-1", true),
      // The blank share above the lower bound of the oracle.
      ("oracle_gap<0.026", true), ("oracle_gap < 2.4%", false), ("oracle_gap>2.4 %", true),
      // Half of the rows never had their image.
      ("time_to_image.p95>1ms", true), ("time_to_image.p95>=900s", true),
      // Unknown numbers, for which no assertion holds.
      ("time_to_image.p95<9000s", false), ("time_to_image.p95==900", false), ("peak_rss<1GB", false),
      ("peak_rss>1B", false),
    ])
  func `a number is compared with a limit in any of its units`(text: String, holds: Bool) throws {
    let outcome = try Assertion(parsing: text).checked(on: Self.result())
    #expect(outcome.pass == holds)
    #expect(outcome.expr == text)
    #expect(outcome.sentence.hasPrefix("\(text) \(holds ? "holds" : "does not hold"): the value is "))
  }

  @Test(
    arguments: [
      ("oracle_gap<2%", "2.5 %"), ("oracle_gap<0.02", "0.025"), ("blank_ratio>=5 %", "4 %"),
      ("blank_ratio<0.04", "0.04"), ("blank_ratio<3.99%", "4 %"), ("bytes_down<2MB", "2.5 MB"),
      ("bytes_down<2499.9kB", "2500 kB"), ("bytes_down<5", "2500000 B"), ("time_to_image.p50<0.05s", "0.1 s"),
      ("time_to_image.p50<99", "100 ms"), ("hitch_ms_per_s<1", "3 ms/s"), ("misplaced_events>0", "0"),
      // Enough decimal places to see that the assertion does not hold.
      ("blank_ratio>0.04000001", "0.04"), ("blank_ratio>4.1e-2", "0.04"),
    ])
  func `a failed assertion reports the value in the unit of the limit`(text: String, value: String) throws {
    let outcome = try Assertion(parsing: text).checked(on: Self.result())
    #expect(outcome.sentence == "\(text) does not hold: the value is \(value)")
  }

  @Test(
    arguments: [
      ("time_to_image.p95>500ms", "holds: the value is never: too few waits ended"),
      ("time_to_image.p95<2s", "does not hold: the value is never: too few waits ended"),
      ("first_screen_complete.p50<1s", "does not hold: the value is unknown"),
    ])
  func `a quantile that too few waits reach is longer than any limit`(text: String, outcome: String) throws {
    let result = try Self.result()
    #expect(try Assertion(parsing: text).checked(on: result).sentence == "\(text) \(outcome)")
  }

  @Test(
    arguments: [
      ("time_to_image.p50<400ms", 566.6666666, "566.7 ms"), ("blank_ratio<=2%", 0.020004, "2.0004 %"),
      // An assertion of a stored result that this version does not know.
      ("x<1", 2, "2.0"),
    ])
  func `a reported value has no unnecessary digits`(text: String, value: Double, reported: String) throws {
    let json = #"{"expr":"\#(text)","value":\#(value),"verdict":"fails","pass":false}"#
    let outcome = try JSONDecoder().decode(AssertionOutcome.self, from: Data(json.utf8))
    #expect(outcome.sentence == "\(text) does not hold: the value is \(reported)")
  }

  /// Twelve replicas with 1 to 12: the mean is 6.5, and its interval about 4 to 9.
  @Test(
    arguments: [
      ("requests<20", .holds), ("requests<7", .notShown), ("requests<6", .notShown), ("requests<3", .fails),
      ("requests>3", .holds), ("requests>=6.5", .notShown), ("requests>20", .fails),
      ("requests==6.5", .notShown), ("requests==20", .fails),
    ] as [(String, AssertionOutcome.Verdict)])
  func `the interval decides`(text: String, verdict: AssertionOutcome.Verdict) throws {
    let values: [Metric: [Double?]] = [.transfers: (1...12).map { Double($0) }]
    let result = try ResultFixture.varied(0, values: values)
    let outcome = try Assertion(parsing: text).checked(on: result)
    #expect(outcome.verdict == verdict && outcome.pass == (verdict == .holds))
    let words = " is not shown: the value is 6.5, its 95 % interval "
    #expect((verdict == .notShown) == outcome.sentence.contains(words), "\(outcome.sentence)")
    // The ends have one or two decimal places, without zeros, on both sides of the limit.
    let ends = /interval \d(\.\d\d?)? to \d(\.\d\d?)?; use more replicas/
    #expect((verdict == .notShown) == outcome.sentence.contains(ends), "\(outcome.sentence)")
    #expect(outcome.sentence.count < 100, "\(outcome.sentence)")
    let json = try JSONEncoder().encode(outcome)
    #expect(try JSONDecoder().decode(AssertionOutcome.self, from: json) == outcome)
    // Nine replicas have no interval: the value decides.
    let few = try ResultFixture.varied(0, replicas: 9, values: values.mapValues { Array($0.prefix(9)) })
    #expect(try Assertion(parsing: text).checked(on: few).verdict != .notShown)
  }

  @Test func `an assertion about a comparison judges the difference`() throws {
    let (first, second) = (try ResultFixture.varied(0), try ResultFixture.varied(-0.01))
    let comparison = try ResultComparison(first, second)
    for (text, verdict) in [
      ("blank_ratio<0", AssertionOutcome.Verdict.holds), ("blank_ratio<-2%", .fails),
      ("blank_ratio<1%", .holds),
      ("oracle_gap<1%", .fails),
    ] {
      #expect(try Assertion(parsing: text).checked(on: comparison).verdict == verdict, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("", "no comparison"), ("blank_ratio", "no comparison"),
      ("blank_ratio=0.05", "no comparison"),
      ("blank<0.05", "unknown metric 'blank'; did you mean blank_ratio, "),
      ("oracle<4", "unknown metric 'oracle'; did you mean oracle_gap?"),
      ("time_to_image<4", "unknown metric 'time_to_image'; did you mean time_to_image.p50, "),
      ("<1", "unknown metric ''; cellophane simulate --list metrics lists them"),
      ("xyzzy<1", "unknown metric 'xyzzy'; cellophane simulate --list metrics lists them"),
      ("blank_ratio<", "'' is not a number"), ("blank_ratio<x", "'x' is not a number"),
      ("blank_ratio<1e999", "'1e999' is not a number"), ("blank_ratio<nan", "'nan' is not a number"),
      ("blank_ratio<5", "blank_ratio is a share from 0 to 1, so the limit 5 "),
      ("oracle_gap<=1", "oracle_gap is a share from 0 to 1, so the limit 1 "),
      ("blank_ratio<200%", "blank_ratio is a share from 0 to 1, so the limit 200% "),
      ("blank_ratio<<1", "'<1' is not a number"),
      ("blank_ratio<4ms", "the unit 'ms' does not apply to blank_ratio; use one of %"),
      ("bytes_down<4s", "the unit 's' does not apply to bytes_down; use one of B, GB, MB, kB"),
      ("time_to_image.p95<4%", "the unit '%' does not apply to time_to_image.p95; use one of ms, s"),
    ])
  func `an invalid assertion is refused with the reason and with suggestions`(text: String, reason: String) {
    #expect {
      try Assertion(parsing: text)
    } throws: { error in
      (error as? LoadError)?.message.hasPrefix("the assertion '\(text)': \(reason)") == true
    }
  }

  @Test func `every number of a result can be asserted`() throws {
    for path in MetricPath.all {
      #expect(try Assertion(parsing: path.text + ">1").number == .measured(path))
    }
    #expect(try Assertion(parsing: "oracle_gap>1").number == .oracleGap)
    // The oracle is unknown in real time.
    let real = try ResultFixture.result(ResultFixture.run(waits: []))
    let outcome = try Assertion(parsing: "oracle_gap<0.9").checked(on: real)
    #expect(!outcome.pass && outcome.sentence == "oracle_gap<0.9 does not hold: the value is unknown")
  }
}
