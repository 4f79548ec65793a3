import Cellophane
import CellophaneTesting
import Synchronization
import TestSupport
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct PictureOriginTests {
  static func behavior(
    seed: UInt64 = 1, _ change: (inout SimulationConfiguration.Origin) -> Void
  ) -> OriginBehavior {
    var origin = SimulationConfiguration.Origin()
    change(&origin)
    return OriginBehavior(origin, seed: seed)
  }

  static func make(
    hasThinkTime: Bool = false, _ change: (inout SimulationConfiguration.Origin) -> Void
  ) -> PictureOrigin {
    var configuration = SimulationConfiguration()
    change(&configuration.origin)
    // The round trip and the think time are 100 ms together.
    configuration.network.profile = NetworkProfile(
      name: "test", downBitsPerSecond: nil, upBitsPerSecond: nil, roundTrip: .milliseconds(70))
    configuration.network.think = .milliseconds(30)
    return PictureOrigin(configuration, hasThinkTime: hasThinkTime) { picture, _ in
      picture < 100 ? [UInt8(picture)] : nil
    }
  }

  /// Returns four standard deviations of a share of `count` draws.
  static func error(_ share: Double, of count: Int) -> Double {
    4 * (share * (1 - share) / Double(count)).squareRoot()
  }

  @Test func `by default every image is served immediately, and other paths are not found`() {
    let origin = Self.make { _ in }
    for picture in 0..<100 {
      let answer = origin.answer(PictureFiles.path(of: picture), headers: [:])
      #expect(answer.status == 200 && answer.body == [UInt8(picture)] && answer.delay == .zero)
      #expect(answer.headers["Cache-Control"] == "max-age=86400")
    }
    for path in ["/row/100.png", "/row/1.png", "/row/-2.png", "/", ""] {
      #expect(origin.answer(path, headers: [:]).status == 404, "\(path)")
    }
  }

  @Test func `an image that cannot be encoded is an error of the server with the reason`() {
    let origin = PictureOrigin(SimulationConfiguration(), hasThinkTime: false) { _, _ throws(LoadError) in
      throw LoadError(.invalidRequest, "the image does not fit")
    }
    let answer = origin.answer(PictureFiles.path(of: 3), headers: [:])
    #expect(answer.status == 500 && answer.body == Array("the image does not fit\n".utf8))
    #expect(answer.headers["Cache-Control"] == nil)
  }

  @Test func `an origin behind a socket has the think times of the modeled link`() {
    let origin = Self.make(hasThinkTime: true) { _ in }
    let think = ThinkTime(median: .milliseconds(30), sigma: 0.3)
    var times: Set<Duration> = []
    for attempt in 0..<3 {
      for picture in 0..<20 {
        let path = PictureFiles.path(of: picture)
        let delay = origin.answer(path, headers: [:]).delay
        #expect(delay == think.time(for: path, attempt: attempt, seed: 1))
        times.insert(delay)
      }
    }
    #expect(times.count > 50)
  }

  @Test(arguments: [0.0, 0.005, 0.3, 1]) func `the given share of attempts fails, each independently`(
    share: Double
  ) {
    let behavior = Self.behavior { $0.fail = share }
    let fails = (0..<20_000).map { behavior.fails("/row/\($0 / 4).png", attempt: $0 % 4) }
    #expect(abs(Double(fails.count { $0 }) / 20_000 - share) <= Self.error(share, of: 20_000))
    // Each attempt is another draw, and the same attempt has the same outcome.
    #expect(fails == (0..<20_000).map { behavior.fails("/row/\($0 / 4).png", attempt: $0 % 4) })
    if share == 0.3 {
      let other = Self.behavior(seed: 2) { $0.fail = share }
      #expect(
        (0..<100).contains {
          behavior.fails("/row/0.png", attempt: $0) != other.fails("/row/0.png", attempt: $0)
        }
      )
    }
  }

  /// P(X > x) = x^(−alpha), for the share of slow answers.
  @Test func `slow answers have a Pareto tail`() {
    let behavior = Self.behavior {
      $0.slowTail = SimulationConfiguration.Origin.SlowTail(alpha: 1.5, share: 0.4)
    }
    let factors = (0..<20_000).map { behavior.slowness(of: "/row/\($0).png", attempt: 0) }
    #expect(factors.allSatisfy { $0 >= 1 && $0 <= 100_000 })
    for (factor, tail) in [(1.0, 1.0), (4, 0.125), (25, 0.008)] {
      let share = 0.4 * tail
      #expect(
        abs(Double(factors.count { $0 > factor }) / 20_000 - share) < Self.error(share, of: 20_000),
        "\(factor)")
    }
  }

  @Test func `the delay of a slow answer is a multiple of the round trip and the think time`() {
    let origin = Self.make { $0.slowTail = SimulationConfiguration.Origin.SlowTail(alpha: 1, share: 1) }
    let behavior = Self.behavior { $0.slowTail = SimulationConfiguration.Origin.SlowTail(alpha: 1, share: 1) }
    for attempt in 0..<20 {
      let expected = 0.1 * (behavior.slowness(of: "/row/7.jpg", attempt: attempt) - 1)
      #expect(origin.answer("/row/7.jpg", headers: [:]).delay == .roundedSeconds(expected))
    }
  }

  @Test func `a validation with the tag of the image is answered 304`() {
    let origin = Self.make { $0.revalidate = 0.5 }
    var revalidated = 0
    for picture in 0..<100 {
      let path = PictureFiles.path(of: picture)
      let first = origin.answer(path, headers: [:])
      #expect(first.status == 200)
      if first.headers["Cache-Control"] == "no-cache" { revalidated += 1 }
      let tag = first.headers["ETag"] ?? ""
      let again = origin.answer(path, headers: ["If-None-Match": tag])
      #expect(again.status == 304 && again.body.isEmpty && again.headers["ETag"] == tag)
      #expect(origin.answer(path, headers: ["If-None-Match": "\"other\""]).status == 200)
    }
    #expect((30...70).contains(revalidated))
  }

  /// A body of 200 bytes, with the bytes 0 to 199, and its tag.
  static func origin200() throws -> (PictureOrigin, path: String, tag: String) {
    let origin = PictureOrigin(SimulationConfiguration(), hasThinkTime: false) { _, _ in Array(0..<200) }
    let path = PictureFiles.path(of: 3)
    let complete = origin.answer(path, headers: [:])
    #expect(complete.headers["Accept-Ranges"] == "bytes")
    return (origin, path, try #require(complete.headers["ETag"]))
  }

  @Test(
    arguments: [
      ("bytes=100-", 100..<200), ("bytes=0-9", 0..<10), ("bytes=1-2", 1..<3), ("BYTES=199-", 199..<200),
      ("bytes=190-400", 190..<200), ("bytes=-5", 195..<200), ("bytes=-500", 0..<200),
    ] as [(String, Range<Int>)])
  func `a range is answered with its bytes, with or without If-Range`(range: String, part: Range<Int>) throws
  {
    let (origin, path, tag) = try Self.origin200()
    for headers in [["Range": range], ["Range": range, "If-Range": tag]] as [HeaderFields] {
      let answer = origin.answer(path, headers: headers)
      #expect(answer.status == 206 && answer.body == part.map(UInt8.init))
      #expect(answer.headers["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/200")
    }
    let other = origin.answer(path, headers: ["Range": range, "If-Range": "\"other\""])
    #expect(other.status == 200 && other.body.count == 200)
  }

  @Test(
    arguments: [
      ("bytes=200-", 416), ("bytes=-0", 416), ("bytes=5-2", 200), ("bytes=x-", 200), ("bytes=-5-", 200),
      ("bytes=0-1,5-6", 200), ("rows=0-1", 200),
    ])
  func `a range beyond the end is refused, and an invalid one is ignored`(range: String, status: Int) throws {
    let (origin, path, _) = try Self.origin200()
    let answer = origin.answer(path, headers: ["Range": range])
    #expect(answer.status == status && answer.body.count == (status == 200 ? 200 : 0))
    if status == 416 { #expect(answer.headers["Content-Range"] == "bytes */200") }
  }

  @Test(arguments: ["TAG", "\"0\", TAG", "W/TAG", "\"a,b\" ,W/TAG, \"c\"", "*"])
  func `a list of tags with the tag of the image is answered with 304`(list: String) throws {
    let (origin, path, tag) = try Self.origin200()
    let headers: HeaderFields = ["If-None-Match": list.replacing("TAG", with: tag), "Range": "bytes=0-1"]
    #expect(origin.answer(path, headers: headers).status == 304)
  }

  @Test(arguments: [
    "", "pareto", "pareto:1", "pareto:1,2,3", "pareto:0,2%", "pareto:x,2%", "pareto:1,200%", "even:1,2%",
  ])
  func `an invalid slow tail or share is refused`(text: String) throws {
    typealias SlowTail = SimulationConfiguration.Origin.SlowTail
    #expect(throws: LoadError.self) { try SlowTail(parsing: text) }
    let read = try SlowTail(parsing: "pareto:1.5,2%")
    #expect(read == SlowTail(alpha: 1.5, share: 0.02))
    #expect(try SlowTail(parsing: read.name) == read)
    for text in ["", "x", "-1", "1.5", "101%", "nan"] {
      #expect(throws: LoadError.self) { try SimulationConfiguration.Origin.share(parsing: text) }
    }
  }

  static func run(_ change: (inout SimulationConfiguration) -> Void) async throws -> SimulationResult {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    configuration.duration = .seconds(8)
    configuration.gesture.profile = .constant(400)
    change(&configuration)
    return try await Simulation(configuration).run()
  }

  @Test func `without images, no late result is discarded`() async throws {
    func discarded(fail: Double) async throws -> Double? {
      let result = try await Self.run {
        $0.origin.fail = fail
        $0.gesture.profile = .stress
      }
      return result.metrics.run[.stalePrevented]
    }
    #expect(try await discarded(fail: 1) == 0)
    #expect(try await discarded(fail: 0) ?? 0 > 0)
  }

  @Test(.thorough)
  func `failures, slow answers, validations and memory warnings affect a run, and every invariant holds`()
    async throws
  {
    let plain = try await Self.run { _ in }
    #expect(plain.metrics.run[.failedLoads] == 0)
    let failing = try await Self.run { $0.origin.fail = 0.9 }
    #expect(failing.metrics.run[.failedLoads] ?? 0 > 0)
    let slow = try await Self.run {
      $0.origin.slowTail = SimulationConfiguration.Origin.SlowTail(alpha: 0.3, share: 1)
    }
    #expect(slow.metrics.run[.blankRatio] ?? 0 > plain.metrics.run[.blankRatio] ?? 1)
    // The list scrolls back and forth, so images are needed again. Without the memory cache they come from disk.
    let log = Array("0,0\n2000,1600\n4000,0\n6000,1600\n8000,0".utf8)
    let back = ScrollProfile.log(try ScrollLog(name: "log", csv: log))
    let cached = try await Self.run {
      $0.gesture.profile = back
      // Prefetching would load the images again before they are visible.
      $0.loader.prefetch = .none
    }
    let warned = try await Self.run {
      $0.gesture.profile = back
      $0.loader.prefetch = .none
      $0.events = [
        ScheduledEvent(.memoryWarning, at: .seconds(4)), ScheduledEvent(.memoryWarning, at: .seconds(6)),
      ]
    }
    #expect(cached.metrics.run[.diskHits] ?? 1 < warned.metrics.run[.diskHits] ?? 0)
    let validated = try await Self.run {
      $0.gesture.profile = back
      $0.cache.memoryBytes = 0
      $0.origin.revalidate = 1
    }
    let fresh = try await Self.run {
      $0.gesture.profile = back
      $0.cache.memoryBytes = 0
    }
    #expect(validated.metrics.run[.transfers] ?? 0 > fresh.metrics.run[.transfers] ?? 0)
    // After a 304, the body is not transferred again.
    #expect(validated.metrics.run[.refetchedBytes] == 0)
    for result in [plain, failing, slow, cached, warned, validated, fresh] {
      #expect(result.invariants.broken == [])
    }
  }

  @Test func `a changed image has another tag, and only the newest tag is answered 304`() {
    let now = Mutex(Duration.zero)
    var configuration = SimulationConfiguration()
    configuration.origin.change = 10
    configuration.origin.maxAge = 5
    configuration.origin.staleWhileRevalidate = 7
    let origin = PictureOrigin(configuration, hasThinkTime: false, now: { now.withLock { $0 } }) {
      picture, version in
      [UInt8](repeating: UInt8(version), count: 100 + picture)
    }
    let path = PictureFiles.path(of: 3)
    let first = origin.answer(path, headers: [:])
    #expect(first.headers["Cache-Control"] == "max-age=5, stale-while-revalidate=7")
    #expect(first.body.first == 0)
    now.withLock { $0 = .seconds(10) }
    let tag = first.headers["ETag"] ?? ""
    let second = origin.answer(path, headers: ["If-None-Match": tag])
    #expect(second.status == 200 && second.body == [UInt8](repeating: 1, count: 103))
    #expect(second.headers["ETag"] != tag)
    #expect(origin.answer(path, headers: ["If-None-Match": second.headers["ETag"] ?? ""]).status == 304)
    // A partial body of the older version is not continued.
    let rest = origin.answer(path, headers: ["If-Range": tag, "Range": "bytes=50-"])
    #expect(rest.status == 200 && rest.body.count == 103)
  }

  @Test func `versions change at even intervals, and the first change differs between images`() throws {
    var origin = SimulationConfiguration.Origin()
    #expect(PictureVersions(origin, seed: 1) == nil)
    origin.change = 4
    let versions = try #require(PictureVersions(origin, seed: 1))
    var firsts: Set<Int> = []
    for picture in 0..<50 {
      let changes = (1...200).filter { tenth in
        versions.version(of: picture, at: .milliseconds(100 * tenth))
          > versions.version(of: picture, at: .milliseconds(100 * (tenth - 1)))
      }
      #expect(changes.count == 5 && changes[0] <= 40)
      #expect(zip(changes, changes.dropFirst()).allSatisfy { $1 - $0 == 40 })
      firsts.insert(changes[0])
    }
    #expect(firsts.count > 20)
  }
}
