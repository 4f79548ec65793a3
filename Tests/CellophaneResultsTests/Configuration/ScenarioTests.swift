import Cellophane
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
    configuration.viewport.refreshRate = 120
    configuration.gesture = SimulationConfiguration.Gesture(profile: .browser)
    configuration.gesture.physics = .android
    configuration.gesture.parameters = GestureParameters(
      dwell: Lognormal(median: 2.5, sigma: 0.25), flick: Lognormal(median: 444, sigma: 1.5), backward: 0.25,
      caught: 0.125, catchTime: 0.25...0.75, again: 0.5, jump: 0.0625, drag: 33, dragTime: 0.25)
    configuration.network.profile = try NetworkProfile(
      parsing: "down=800,rtt=30" + (time == .virtual ? ",loss=0.01" : ""))
    configuration.network.tls = false
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
    }
    configuration.origin.maxAge = 60
    configuration.origin.staleWhileRevalidate = 30
    configuration.events = [
      ScheduledEvent(.memoryWarning, at: .milliseconds(1_250)),
      ScheduledEvent(.rotation, at: .milliseconds(600)),
    ]
    configuration.cache.memoryBytes = 1
    configuration.cache.diskBytes = 2
    configuration.cache.policy = .farthestRow
    configuration.loader.prefetch = .screens(leading: 1.5, trailing: 0)
    if time == .virtual {
      configuration.network.http = 2
      configuration.network.drainBytes = 1_000
      configuration.decoding.cores = 3
      configuration.decoding.png = [7.5, 7, 6.5, 6]
      configuration.decoding.jpeg = [3.25, 3, 2.75, 2.5]
    }
    configuration.duration = .milliseconds(1_250)
    configuration.seed = .max
    return configuration
  }

  /// Scenarios that cannot be read, and the start of the error message.
  static let malformed: [(String, String)] = [
    (#"{"rows":3}"#, "rows: unknown field; the fields are time, list, "),
    (#"{"list":{"rowz":3}}"#, "list.rowz: unknown field; the fields are layout, "),
    (
      #"{"gesture":{"flick":{"mean":3}}}"#,
      "gesture.flick.mean: unknown field; the fields are median, sigma"
    ),
    (#"{"list":[]}"#, "list: must be an object"), (#"{"list":7}"#, "list: must be an object"),
    (#"[]"#, "the scenario must be an object"), (#"3"#, "the scenario must be an object"),
    (#"{"gesture":{"flick":3}}"#, "gesture.flick: must be an object"),
    (#"{"gesture":{"flick":{"median":"fast"}}}"#, "gesture.flick.median: must be a number"),
    (#"{"list":{"rows":"many"}}"#, "list.rows: must be a whole number"),
    (#"{"list":{"rows":1.5}}"#, "list.rows: must be a whole number"),
    (#"{"list":{"rows":1e300}}"#, "list.rows: must be a whole number"),
    (#"{"seed":-1}"#, "seed: must be a whole number, 0 or greater"),
    (#"{"list":{"image":[320,"x"]}}"#, "list.image[1]: must be a list of whole numbers"),
    (#"{"list":{"image":[320]}}"#, "list.image: must be a width and a height, [WIDTH, HEIGHT]"),
    (#"{"list":{"pictures":"mine"}}"#, "list.pictures: unknown value 'mine'; use one of generated, own"),
    (#"{"list":{"layout":"heap"}}"#, "list.layout: unknown value 'heap'; use one of rows, "),
    (
      #"{"list":{"bytes":{"dist":"even"}}}"#,
      "list.bytes.dist: unknown value 'even'; use one of lognormal, bpp"
    ),
    (#"{"list":{"bytes":{"dist":"lognormal"}}}"#, "list.bytes.median: is missing"),
    (#"{"list":{"repeat":{"K":3}}}"#, "list.repeat.K: unknown field; the fields are exponent, pictures"),
    (#"{"gesture":{"profile":"fast"}}"#, "gesture.profile: unknown scroll profile 'fast'"),
    (#"{"gesture":{"physics":"moon"}}"#, "gesture.physics: unknown value 'moon'; use one of ios, "),
    (#"{"gesture":{"catch_time":[0.9,0.1]}}"#, "gesture.catch_time: must be a range"),
    (
      #"{"gesture":{"profile":"constant:5","jump":0.5}}"#,
      "gesture.jump: the profile constant:5 has no gestures"
    ),
    (#"{"network":{"preset":"fast"}}"#, "network.preset: unknown network 'fast'; did you mean dt-fast4g or "),
    (#"{"network":{"rtt_ms":-1}}"#, "network.rtt_ms: 'rtt=-1.0' of the network is not"),
    (#"{"network":{"down_kbps":0}}"#, "network.down_kbps: 'down=0.0' of the network is not"),
    (#"{"network":{"loss":0.6}}"#, "network.loss: 'loss=0.6' of the network is not a share"),
    (#"{"network":{"http":"2"}}"#, "network.http: must be a whole number"),
    (#"{"decoding":{"mode":"fast"}}"#, "decoding.mode: unknown value 'fast'; use one of model, real"),
    (#"{"decoding":{"png_ms_per_mpx":3}}"#, "decoding.png_ms_per_mpx: must be a list of numbers"),
    (#"{"network":{"tls":1}}"#, "network.tls: must be true or false"),
    (#"{"origin":{"fail":"often"}}"#, "origin.fail: must be a number"),
    (#"{"origin":{"slow_tail":{"beta":1}}}"#, "origin.slow_tail.beta: unknown field"),
    (#"{"events":{}}"#, "events: must be a list of objects"),
    (#"{"events":[7]}"#, "events[0]: must be an object"),
    (
      #"{"events":[{"at_s":1,"kind":"memory_warning"},{"at_s":1,"kind":"flood"}]}"#,
      "events[1].kind: unknown value 'flood'"
    ),
    (
      #"{"events":[{"at_s":-1,"kind":"memory_warning"}]}"#,
      "events[0].at_s: must be from 0 to 86400, not -1.0"
    ),
    (#"{"events":[{"kind":"memory_warning"}]}"#, "events[0].at_s: is missing"),
    (#"{"events":[{"at_s":1}]}"#, "events[0].kind: is missing"),
    (#"{"cache":{"policy":"best"}}"#, "cache.policy: unknown value 'best'; use one of lru, "),
    (#"{"loader":{"prefetch":8}}"#, "loader.prefetch: must be a string"),
    (#"{"loader":{"prefetch":"all"}}"#, "loader.prefetch: unknown prefetch policy 'all'"),
    (#"{"duration_ms":1e18}"#, "duration_ms: must be from 0 to 86400000, not 1e+18"),
    (#"{"time":"imaginary"}"#, "time: unknown value 'imaginary'; use one of virtual, real"),
    (#"{"seed":1"#, "the scenario is not JSON"), ("", "the scenario is not JSON"),
  ]

  /// Scenarios that cannot be played, and the start of the error message.
  static let outOfRange: [(String, String)] = [
    (#"{"list":{"rows":0}}"#, "list.rows: must be from 1 to "),
    (#"{"list":{"picture":[112,121]}}"#, "list.picture[1]: an image of 121 px does not fit a row of 120 px"),
    (#"{"list":{"picture":[0,0]}}"#, "list.picture[0]: must be from 1 to 16384, not 0"),
    (#"{"list":{"image":[8,320]}}"#, "list.image[0]: must be from 16 to 2048, not 8"),
    (#"{"list":{"image":[2000,16]}}"#, "list.picture: generated images of 2000x16"),
    (#"{"list":{"row_height_px":1,"picture":[112,1]}}"#, "list.picture: "),
    (#"{"list":{"columns":17}}"#, "list.columns: must be from 1 to 16, not 17"),
    (#"{"list":{"height_sigma":2}}"#, "list.height_sigma: must be from 0 to 1, not 2.0"),
    (#"{"list":{"layout":"mixed","rows":2000000}}"#, "list.rows: must be from 1 to 1000000, not 2000000"),
    (#"{"list":{"height_sigma":0.1,"picture":[24,24]}}"#, "list.picture: generated images"),
    (#"{"list":{"section":{"rows":0}}}"#, "list.section.rows: must be from "),
    (#"{"list":{"section":{"header_px":0}}}"#, "list.section.header_px: must be from 1 to 16384, not 0"),
    (#"{"list":{"repeat":{"pictures":0}}}"#, "list.repeat.pictures: must be from 1 to 1000000, not 0"),
    (#"{"list":{"bytes":{"median":50}}}"#, "list.bytes.median: must be from 0.01 to 48, not 50.0"),
    (#"{"list":{"bytes":{"dist":"lognormal","median":0.5}}}"#, "list.bytes.median: must be from 1 to 1"),
    (#"{"time":"real","list":{"bytes":{}}}"#, "list.bytes: files with pixels have their actual sizes"),
    (#"{"decoding":{"mode":"real"},"list":{"bytes":{}}}"#, "list.bytes: files with pixels have their actual"),
    (#"{"viewport":{"w":-3}}"#, "viewport.w: must be from 1 to 16384, not -3"),
    (#"{"viewport":{"hz":241}}"#, "viewport.hz: must be from 1 to 240, not 241"),
    (#"{"gesture":{"flick":{"median":-5}}}"#, "gesture.flick.median: must be from 0 to 100000, not -5.0"),
    (#"{"gesture":{"dwell":{"sigma":50}}}"#, "gesture.dwell.sigma: must be from 0 to 5, not 50.0"),
    (#"{"gesture":{"again":1.5}}"#, "gesture.again: must be from 0 to 1, not 1.5"),
    (#"{"gesture":{"catch_time":[0.5,2]}}"#, "gesture.catch_time[1]: must be from 0 to 1, not 2.0"),
    (#"{"gesture":{"drag_s":0}}"#, "gesture.drag_s: must be from 0.004 to 60, not 0.0"),
    (#"{"network":{"http":3}}"#, "network.http: must be from 1 to 2, not 3"),
    (#"{"network":{"think_ms":60001}}"#, "network.think_ms: must be from 0 to 60000, not 60001.0"),
    (#"{"network":{"think_sigma":-1}}"#, "network.think_sigma: must be from 0 to 5, not -1.0"),
    (#"{"network":{"drain_bytes":-1}}"#, "network.drain_bytes: must be from "),
    (#"{"time":"real","network":{"http":2}}"#, "network.http: in real time the embedded origin speaks"),
    (#"{"time":"real","network":{"drain_bytes":1}}"#, "network.drain_bytes: in real time libcurl closes"),
    (#"{"gesture":{"profile":"log:a.csv"}}"#, "gesture.profile: the log a.csv has not been read"),
    (#"{"origin":{"fail":1.5}}"#, "origin.fail: must be from 0 to 1, not 1.5"),
    (#"{"origin":{"revalidate":-1}}"#, "origin.revalidate: must be from 0 to 1, not -1.0"),
    (#"{"origin":{"slow_tail":{"alpha":0}}}"#, "origin.slow_tail.alpha: must be from 0.1 to 100, not 0.0"),
    (#"{"origin":{"slow_tail":{"share":2}}}"#, "origin.slow_tail.share: must be from 0 to 1, not 2.0"),
    (#"{"loader":{"concurrency":0}}"#, "loader.concurrency: must be from 1 to 64, not 0"),
    (#"{"loader":{"concurrency":65}}"#, "loader.concurrency: must be from 1 to 64, not 65"),
    (#"{"list":{"progressive":2}}"#, "list.progressive: must be from 0 to 1, not 2.0"),
    (#"{"time":"real","list":{"progressive":1}}"#, "list.progressive: files with pixels are not progressive"),
    (
      #"{"decoding":{"mode":"real"},"loader":{"previews":true}}"#,
      "loader.previews: in virtual time previews are modeled"
    ),
    (#"{"origin":{"change_s":0}}"#, "origin.change_s: must be from 0.1 to 86400, not 0.0"),
    (#"{"origin":{"max_age_s":-1}}"#, "origin.max_age_s: must be from 0 to 86400, not -1"),
    (
      #"{"origin":{"stale_while_revalidate_s":-1}}"#,
      "origin.stale_while_revalidate_s: must be from 0 to 86400, not -1"
    ),
    (#"{"time":"real","origin":{"change_s":5}}"#, "origin.change_s: pixels do not show the version"),
    (#"{"decoding":{"mode":"real"},"origin":{"change_s":5}}"#, "origin.change_s: pixels do not show"),
    (
      #"{"gesture":{"profile":"log:a.csv"},"events":[{"at_s":1,"kind":"rotation"}]}"#,
      "gesture.profile: the log a.csv has not been read"
    ),
    (
      #"{"list":{"row_height_px":9000,"picture":[9000,9000]},"events":[{"at_s":1,"kind":"rotation"}]}"#,
      "events[0].kind: the list does not fit the rotated screen: list.row_height_px: "
    ),
    (#"{"cache":{"memory_bytes":-1}}"#, "cache.memory_bytes: must be from 0 to 9223372036854775807, not -1"),
    (#"{"decoding":{"cores":0}}"#, "decoding.cores: must be from 1 to 256, not 0"),
    (#"{"decoding":{"png_ms_per_mpx":[1,2,3]}}"#, "decoding.png_ms_per_mpx: must be four numbers"),
    (
      #"{"decoding":{"jpeg_ms_per_mpx":[1,2,3,-4]}}"#,
      "decoding.jpeg_ms_per_mpx[3]: must be from 0 to 60000, not -4.0"
    ),
    (#"{"time":"real","network":{"loss":0.1}}"#, "network.loss: in real time loopback loses no segments"),
    (#"{"duration_ms":5}"#, "duration_ms: must be from 100 to 86400000, not 5.0"),
    (#"{"replicas":0}"#, "replicas: must be from 1 to 1000, not 0"),
  ]

  /// The scenarios of both lists with a wrong combination of two fields, or of a field and a file.
  static let combinations: Set<String> = [
    #"{"time":"real","list":{"progressive":1}}"#, #"{"decoding":{"mode":"real"},"loader":{"previews":true}}"#,
    #"{"time":"real","origin":{"change_s":5}}"#, #"{"decoding":{"mode":"real"},"origin":{"change_s":5}}"#,
    #"{"list":{"picture":[112,121]}}"#, #"{"list":{"image":[2000,16]}}"#,
    #"{"time":"real","network":{"http":2}}"#, #"{"time":"real","network":{"drain_bytes":1}}"#,
    #"{"gesture":{"profile":"log:a.csv"},"events":[{"at_s":1,"kind":"rotation"}]}"#,
    #"{"list":{"row_height_px":9000,"picture":[9000,9000]},"events":[{"at_s":1,"kind":"rotation"}]}"#,
    #"{"time":"real","network":{"loss":0.1}}"#, #"{"decoding":{"mode":"real"},"list":{"bytes":{}}}"#,
    #"{"list":{"row_height_px":1,"picture":[112,1]}}"#, #"{"list":{"layout":"mixed","rows":2000000}}"#,
    #"{"list":{"bytes":{"dist":"lognormal"}}}"#, #"{"list":{"bytes":{"median":50}}}"#,
    #"{"list":{"bytes":{"dist":"lognormal","median":0.5}}}"#, #"{"time":"real","list":{"bytes":{}}}"#,
    #"{"list":{"height_sigma":0.1,"picture":[24,24]}}"#, #"{"gesture":{"catch_time":[0.9,0.1]}}"#,
    #"{"gesture":{"profile":"constant:5","jump":0.5}}"#, #"{"gesture":{"profile":"log:a.csv"}}"#,
  ]

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

  @Test func `a network with a custom name is written as numbers`() throws {
    var configuration = SimulationConfiguration()
    configuration.network.profile = NetworkProfile(
      name: "mine", downBitsPerSecond: 1_500_000, upBitsPerSecond: nil, roundTrip: .microseconds(562_500))
    let read = try SimulationConfiguration(scenario: configuration.scenario()).network.profile
    #expect(read.name == "down=1500.0,rtt=562.5")
    #expect(read.downBitsPerSecond == 1_500_000 && read.upBitsPerSecond == nil)
    #expect(read.roundTrip == .microseconds(562_500))
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
