import Cellophane
import CellophaneNetwork
import CellophaneTesting
import FoundationEssentials
import Testing

@testable import CellophaneResults

@Suite struct ScenarioTests {
  static func read(_ json: String, time: SimulationConfiguration.Time? = nil) throws(LoadError)
    -> SimulationConfiguration
  {
    try SimulationConfiguration(scenario: Array(json.utf8), time: time)
  }

  /// Returns a configuration without any default setting.
  static func unusual(_ time: SimulationConfiguration.Time) throws -> SimulationConfiguration {
    var configuration = SimulationConfiguration(time: time)
    configuration.list = SimulationConfiguration.List(layout: .grid)
    configuration.list.rows = 77
    configuration.list.columns = 2
    configuration.list.rowHeight = 90
    configuration.list.picture = PixelSize(width: 50, height: 40)
    configuration.list.image = PixelSize(width: 100, height: 80)
    configuration.list.heightSigma = 0.25
    configuration.list.section = ListLayout.Section(rows: 7, header: 30)
    configuration.list.repeated = RepeatedPictures(pictures: 12, exponent: 1.25)
    if time == .virtual {
      configuration.list.bytes = .lognormal(Lognormal(median: 60_000, sigma: 0.5))
    }
    configuration.viewport.size = PixelSize(width: 300, height: 500)
    configuration.viewport.density = 2.625
    configuration.viewport.refreshRate = 120
    configuration.gesture = SimulationConfiguration.Gesture(profile: .browser)
    configuration.gesture.physics = .android
    configuration.gesture.parameters = GestureParameters(
      dwell: Lognormal(median: 2.5, sigma: 0.25), flick: Lognormal(median: 444, sigma: 1.5), backward: 0.25,
      caught: 0.125, catchTime: 0.25...0.75, again: 0.5, jump: 0.0625, drag: 33, dragTime: 0.25)
    configuration.network.profile = try NetworkProfile(
      parsing: (time == .virtual ? "trace:a.down,loss=0.01,queue=codel,wake=260,sleep=9000.5," : "")
        + "down=800,rtt=30"
    ).reading(RateSchedule([600_000, 0, 1_200_500], interval: 20_500_000, period: 70_000_000))
    configuration.network.tls = time == .virtual
    configuration.network.think = .microseconds(12_500)
    configuration.network.thinkSigma = 0.5
    configuration.origin.fail = 0.125
    configuration.origin.slowTail = SimulationConfiguration.Origin.SlowTail(alpha: 1.25, share: 0.25)
    configuration.origin.revalidate = 0.5
    configuration.loader.previews = true
    configuration.loader.concurrency = 3
    if time == .virtual {
      configuration.origin.change = 2.5
      configuration.list.progressive = 0.75
      configuration.list.animated = 0.25
    }
    configuration.origin.maxAge = 60
    configuration.origin.staleWhileRevalidate = 30
    configuration.foresight = true
    configuration.events = [
      ScheduledEvent(.memoryWarning, at: .milliseconds(1_250)),
      ScheduledEvent(.rotation, at: .milliseconds(600)),
    ]
    configuration.cache.memoryBytes = 1
    configuration.cache.diskBytes = 2
    configuration.cache.policy = .farthestRow
    configuration.loader.prefetch = .screens(leading: 1.5, trailing: 0)
    if time == .virtual {
      configuration.network.http = .http3
      configuration.network.isWarm = true
      configuration.network.origins = 3
      configuration.network.drainBytes = 1_000
      configuration.network.idleRestart = .halve
      configuration.decoding.cores = 3
      configuration.decoding.png = [7.5, 7, 6.5, 6]
      configuration.decoding.jpeg = [3.25, 3, 2.75, 2.5]
    }
    configuration.duration = .milliseconds(1_250)
    configuration.seed = .max
    return configuration
  }

  @Test(arguments: [SimulationConfiguration.Time.virtual, .real])
  func `a written scenario is read again, also as completed by a result`(
    time: SimulationConfiguration.Time
  ) throws {
    var decoded = SimulationConfiguration(time: time)
    // In real time these settings have no meaning, and a scenario does not contain them.
    if time == .virtual {
      decoded.decoding.mode = .real
      decoded.origin.change = nil
      decoded.list.progressive = 0
      decoded.loader.previews = false
    }
    for configuration in [try Self.unusual(time), decoded] {
      #expect(try SimulationConfiguration(scenario: configuration.scenario()) == configuration)
      let completed = configuration.completed(
        layout: try configuration.checkedLayout(), meanBytes: 40_000)
      let json = try JSONEncoder().encode(completed)
      let read = try SimulationConfiguration(scenario: Array(json))
      #expect(read == completed)
      #expect(read.viewport.slots ?? 0 > 5)
      #expect(read.list.meanBytes == 40_000)
      #expect(read.assumptions?.isEmpty == false)
      #expect(read.asPlayed == configuration)
    }
  }

  @Test func `a result names the played scroll log`() throws {
    var configuration = SimulationConfiguration()
    configuration.gesture.profile = .log(try ScrollLogTests.read("0,0\n100,50"))
    let completed = configuration.completed(layout: try configuration.checkedLayout(), meanBytes: 1)
    #expect(completed.gesture.profile == .log(ScrollLog(name: "a.csv")))
    #expect(completed.assumptions?.contains { $0.contains("recorded in a.csv") } == true)
    #expect(try SimulationConfiguration(scenario: Array(JSONEncoder().encode(completed))) == completed)
    #expect(configuration.command?.contains("--profile log:a.csv") == true)
  }

  @Test func `a density of 1 is written in a command, and omitted in a scenario`() throws {
    var configuration = SimulationConfiguration()
    #expect(configuration == (try Self.read(#"{"viewport":{"density":1}}"#)))
    #expect(!String(decoding: try configuration.scenario(), as: UTF8.self).contains("density"))
    #expect(configuration.command?.contains(" --density 1.0 ") == true)
    configuration.viewport.density = 2.625
    #expect(configuration == (try Self.read(#"{"viewport":{"density":2.625}}"#)))
    #expect(configuration.command?.contains(" --density 2.625 ") == true)
  }

  @Test(arguments: ["200", "\"codel\""])
  func `a scenario has the queue of a network as a number or a name`(queue: String) throws {
    let read = try Self.read(#"{"network":{"preset":"wpt-lte","queue":\#(queue)}}"#)
    let discipline: QueueDiscipline = queue == "200" ? .dropTail(.milliseconds(200)) : .codel
    #expect(read.network.profile.queue == discipline)
    #expect(try SimulationConfiguration(scenario: read.scenario()) == read)
    #expect(read.command?.contains("queue=") == true)
  }

  @Test func `a network with a custom name is written as numbers`() throws {
    var configuration = SimulationConfiguration()
    configuration.network.profile = NetworkProfile(
      name: "mine", downBitsPerSecond: 1_500_000, upBitsPerSecond: nil, roundTrip: .microseconds(562_500))
    let read = try SimulationConfiguration(scenario: configuration.scenario()).network.profile
    #expect(read.name == "down=1500.0,rtt=562.5")
    #expect(read.downBitsPerSecond == 1_500_000 && read.upBitsPerSecond == nil)
    #expect(read.roundTrip == .microseconds(562_500))
  }

  @Test func `the rates of a trace are part of a scenario, with or without a file`() throws {
    let json = #"{"network":{"preset":"wpt-lte","trace":{"interval_ms":500,"kbps":[9000,0,600.5]}}}"#
    let network = try Self.read(json).network
    let rates = RateSchedule([9_000_000, 0, 600_500], interval: 500_000_000)
    #expect(network.profile.variation == .trace(file: nil, rates))
    #expect(network.profile.downBitsPerSecond == 3_200_166 && network.profile.roundTrip == .milliseconds(70))
    var scaled = try Self.read(#"{"network":{"down_kbps":800,"trace":{"kbps":[3000,1000]}}}"#)
    #expect(scaled.network.profile.rates(seed: 1)?.rates == [1_200_000, 400_000])
    #expect(scaled.command?.contains("[3000,1000]") == true)
    // Each seed starts at another time of the trace.
    #expect(scaled.network.profile.rates(seed: 1) == scaled.network.profile.rates(seed: 1))
    #expect(scaled.network.profile.rates(seed: 1) != scaled.network.profile.rates(seed: 2))
    scaled.network.profile = try NetworkProfile(parsing: "trace:a.down,rtt=70").reading(rates)
    let completed = scaled.completed(layout: try scaled.checkedLayout(), meanBytes: 1)
    #expect(completed.network.profile == scaled.network.profile)
    #expect(completed.assumptions?.contains { $0.contains("the trace a.down") } == true)
    #expect(scaled.command?.contains("--network trace:a.down,rtt=70 ") == true)
    scaled.network.profile = NetworkProfile(
      name: "mine", downBitsPerSecond: 1_000_000, upBitsPerSecond: nil, roundTrip: .milliseconds(70))
    scaled.network.profile.variation = .trace(file: "a.down", rates)
    let read = try SimulationConfiguration(scenario: scaled.scenario()).network.profile
    #expect(read.name == "trace:a.down,down=1000.0,rtt=70.0")
    #expect(read.variation == scaled.network.profile.variation && read.downBitsPerSecond == 1_000_000)
  }

  @Test func `an absent field has the default, or the value of the preset of its object`() throws {
    #expect(try Self.read("{}") == SimulationConfiguration())
    #expect(try Self.read(#"{"time":"real"}"#) == SimulationConfiguration(time: .real))
    #expect(try Self.read(#"{"time":"real"}"#, time: .virtual) == SimulationConfiguration())
    #expect(try Self.read(#"{"list":{},"gesture":null,"seed":null}"#) == SimulationConfiguration())
    let cards = try Self.read(#"{"list":{"layout":"cards","row_height_px":500}}"#).list
    #expect(cards.image == PixelSize(width: 1080, height: 1080) && cards.rowHeight == 500)
    let section = try Self.read(#"{"list":{"section":{"rows":3}}}"#).list.section
    #expect(section == ListLayout.Section(rows: 3, header: 40))
    let bytes = try Self.read(#"{"list":{"bytes":{"sigma":0.25}}}"#).list.bytes
    #expect(bytes == .perPixel(Lognormal(median: 1.5, sigma: 0.25)))
    #expect(try Self.read(#"{"list":{"bytes":{"dist":"webp"}}}"#).list.bytes == .web(.webp))
    let gesture = try Self.read(#"{"gesture":{"profile":"reader","flick":{"median":700}}}"#).gesture
    #expect(gesture.parameters?.flick == Lognormal(median: 700, sigma: 0.5))
    #expect(gesture.parameters?.dwell == ScrollProfile.reader.gestures?.dwell)
    let network = try Self.read(#"{"network":{"preset":"lh-slow4g","rtt_ms":80}}"#).network.profile
    #expect(network.downBitsPerSecond == 1_638_400 && network.upBitsPerSecond == 750_000)
    #expect(network.roundTrip == .milliseconds(80))
    let same = try Self.read(#"{"network":{"preset":"lh-slow4g","rtt_ms":150}}"#).network.profile
    #expect(same.name == "lh-slow4g")
  }

  @Test(arguments: malformed)
  func `an unknown field or a wrong type is refused with its path`(json: String, message: String) {
    #expect {
      try Self.read(json)
    } throws: { error in
      guard let error = error as? LoadError else { return false }
      let isExpected = error.kind == .invalidRequest && error.message.hasPrefix(message)
      if !isExpected { Issue.record("\(error.message)") }
      return isExpected
    }
  }

  @Test(
    arguments: [
      (#"{"seed":1,"seed":2}"#, "seed"), (#"{"list":{"rows":5,"columns":1,"rows":5}}"#, "list.rows"),
      (#"{"list":{"rows":5},"seed":1, "list" : {}}"#, "list"), (#"{"seed":1,"\u0073eed":1}"#, "seed"),
      (
        #"{"events":[{"kind":"rotation","at_s":1},{"kind":"rotation","at_s":1,"kind":"memory_warning"}]}"#,
        "events[1].kind"
      ),
    ])
  func `a field that occurs twice is refused with its path`(json: String, path: String) {
    #expect {
      try Self.read(json)
    } throws: { error in
      (error as? LoadError)?.message == "\(path): occurs twice; remove one of them"
    }
  }

  @Test(
    arguments: [
      "", "{}", "[]", #"{"a":{"b":1},"b":{"b":1},"c":[{"b":1},{"b":1}]}"#,
      #"{"a":"{\"a\":1,\"a\":2}","b":"\\"}"#,
      #"{"a":"b","b":"a","c":["a","a","\u0061"]}"#, "}]\"\\", "{\"a\":", "[,,]", "{\"", "\u{0}\u{1}",
    ])
  func `other text has no repeated field`(json: String) {
    #expect(JSONWalk.repeatedKey(in: Array(json.utf8)) == nil)
    #expect(JSONWalk.number(beyond: 1e15, in: Array(json.utf8), except: []) == nil)
  }

  @Test(arguments: outOfRange)
  func `a value out of range is refused with its path`(json: String, message: String) throws {
    let configuration = try Self.read(json)
    #expect {
      try configuration.checkedLayout()
    } throws: { error in
      guard let error = error as? LoadError else { return false }
      let isExpected = error.kind == .invalidRequest && error.message.hasPrefix(message)
      if !isExpected { Issue.record("\(error.message)") }
      return isExpected
    }
  }

  /// Gestures at the limits of the accepted ranges end, and can be played.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `extreme gestures fill a run`(seed: UInt64) {
    var gestures = GestureParameters(
      dwell: Lognormal(median: 0, sigma: 0), flick: Lognormal(median: 0, sigma: 0), backward: 1, caught: 1,
      catchTime: 0...0, again: 1, jump: 1, drag: 0, dragTime: GestureParameters.dragTimes.lowerBound)
    let wide = Lognormal(median: GestureParameters.dwells.upperBound, sigma: Lognormal.sigmas.upperBound)
    for dwell in [gestures.dwell, wide] {
      gestures.dwell = dwell
      gestures.flick = dwell
      let trajectory = ScrollTrajectory(
        profile: .stress, gestures: gestures, physics: .ios, limit: 10_000, seed: seed,
        lasting: .seconds(20))
      #expect(trajectory.duration >= .seconds(20))
      #expect((0...10_000).contains(trajectory.offset(at: .seconds(20))))
    }
  }
}
