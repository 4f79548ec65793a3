internal import CellophaneCore
internal import Testing

@testable internal import CellophaneNetwork

@Suite struct NetworkProfileTests {
  @Test func `a preset is found by its unique name`() throws {
    for preset in NetworkProfile.presets {
      #expect(try NetworkProfile(parsing: preset.name) == preset)
    }
    #expect(Set(NetworkProfile.presets.map(\.name)).count == NetworkProfile.presets.count)
  }

  @Test(
    arguments: [
      ("down=1638.4,up=750,rtt=150,loss=0.02", 1_638_400, 750_000, 150_000, 0.02),
      ("rtt=2.5,down=100", 100_000, nil, 2500, 0),
      ("up=64", nil, 64_000, 0, 0),
      ("loss=1.5%", nil, nil, 0, 0.015),
    ] as [(String, Int?, Int?, Int, Double)])
  func `a custom profile has the rates, round trip and loss of its text`(
    text: String, down: Int?, up: Int?, microseconds: Int, loss: Double
  ) throws {
    let profile = try NetworkProfile(parsing: text)
    #expect(profile.downBitsPerSecond == down)
    #expect(profile.upBitsPerSecond == up)
    #expect(profile.roundTrip == .microseconds(microseconds))
    #expect(profile.loss == loss)
  }

  @Test func `the percentiles of phones have the published rates and round trips, and vary`() throws {
    let phones = try ["phone-p50", "phone-p75", "phone-p90"].map { try NetworkProfile(parsing: $0) }
    #expect(phones.map(\.downBitsPerSecond) == [50_700_000, 20_600_000, 6_800_000])
    #expect(phones.map(\.roundTrip) == [.milliseconds(151), .milliseconds(209), .milliseconds(271)])
    #expect(phones.allSatisfy { $0.variation == .model(.lte) && $0.queue == nil })
  }

  @Test func `a network with a queue has its length or its discipline`() throws {
    #expect(try NetworkProfile(parsing: "wpt-lte,queue=200").queue == .dropTail(.milliseconds(200)))
    #expect(try NetworkProfile(parsing: "queue=codel,down=900").queue == .codel)
    #expect(try NetworkProfile(parsing: "wpt-lte").queue == nil)
  }

  @Test func `a network with a radio has its delay and its idle time`() throws {
    let radio = RadioWakeUp(delay: .milliseconds(260), idleTime: .seconds(10))
    #expect(try NetworkProfile(parsing: "vary-lte,wake=260").wakeUp == radio)
    #expect(try NetworkProfile(parsing: "wake=260,sleep=10000.0,rtt=70").wakeUp == radio)
    #expect(NetworkProfile.presets.allSatisfy { $0.wakeUp == nil })
  }

  @Test(arguments: [
    ("queue=0", "from 1 to 60000 without a unit, such as queue=200, or codel"), ("queue=red", "'queue=red'"),
    ("wake=60001", "from 0 to 60000"), ("wake=1,sleep=0", "from 1 to 86400000"),
    ("wpt-lte,sleep=9000", "changes nothing without wake=MS"),
    ("", "wpt-fios"), ("lte", "unknown network 'lte'; did you mean wpt-lte or vary-lte? "),
    ("LTE", "did you mean wpt-lte or vary-lte? "),
    ("dsl2", "; presets: unlimited, "), ("down=5Mbit", "without a unit, such as down=5000"),
    ("down=", "'down='"), ("down=0", "from 1 to 100000000"),
    ("rtt=-1", "milliseconds"), ("rtt=nan", "milliseconds"), ("down=1,down=2", "sets down twice"),
    ("jitter=1", "'jitter=1' of the network"),
    ("loss=1", "from 0 to 0.5"), ("loss=51%", "0% to 50%"), ("loss=%", "'loss=%'"),
    ("rtt=1%", "milliseconds"),
    ("trace:", "the network 'trace:' names no file; write trace:FILE"), ("trace:a,rtt=x", "'rtt=x'"),
    ("wpt-lte,fast", "sets none of down, up, rtt, loss, queue, wake, sleep; write"),
    ("trace,rtt=1,rtt=2", "sets rtt twice; leave one out"),
    ("down=1e300", "kbit/s"), ("down=1,", "'' of the network 'down=1,'"),
  ])
  func `an error names the accepted input`(text: String, hint: String) {
    let error = #expect(throws: LoadError.self) { try NetworkProfile(parsing: text) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
  }
}
