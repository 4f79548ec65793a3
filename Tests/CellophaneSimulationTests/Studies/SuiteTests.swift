import Cellophane
import FoundationEssentials
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import SimulationTestSupport
internal import TestSupport

/// The cases of a published suite never change.
@Suite struct SuiteTests {
  /// Returns the contents of a case: its settings, the values derived from them, and the offset every ten seconds.
  private static func contents(of one: Study.Case) throws -> AnyJSON {
    let configuration = one.configuration
    let layout = try configuration.checkedLayout()
    let pictures = ModeledPictures(
      contents: ListContents(configuration.list, seed: configuration.seed))
    var completed = configuration.completed(layout: layout, meanBytes: pictures.meanBytes(of: layout.rows))
    // The texts of the assumptions may change.
    completed.assumptions = nil
    let orientation = try #require(try ScreenOrientation.all(of: configuration).first)
    let offsets = (0...6).map { AnyJSON.number(orientation.offset(at: .seconds(10 * $0)).rounded()) }
    var contents: [String: AnyJSON] = [
      "config": try AnyJSON(try JSONEncoder().encode(completed)), "offsets_px": .list(offsets),
    ]
    if let rates = configuration.network.profile.rates(seed: configuration.seed) {
      // A change of the model of varying rates would change the suite, too.
      contents["kbps"] = .list(
        (0...6).map { AnyJSON.number(Double(rates.rate(at: 10_000_000_000 * $0)) / 1_000) })
    }
    return .object(contents)
  }

  private struct Published: Decodable {
    struct Case: Decodable { let config: SimulationConfiguration }
    let cases: [String: Case]
  }

  @Test(arguments: ["v1", "v2"])
  func `a suite equals its published cases, independent of the defaults`(suite: String) throws {
    let file = try Documentation.file(named: "suite-\(suite).json")
    let (published, readable) = (try AnyJSON(file), try JSONDecoder().decode(Published.self, from: file))
    #expect(published["suite"]?.text == suite)
    let study = try Study(suite: suite) { _ in }
    let cases = try #require(published["cases"]?.members)
    #expect(Set(cases.keys) == Set(study.cases.map { $0.values.joined(separator: "/") }))
    for one in study.cases {
      let name = one.values.joined(separator: "/")
      #expect(try Self.contents(of: one) == cases[name], "\(name)")
      // The published configuration can be played.
      #expect(readable.cases[name]?.config.asPlayed == one.configuration, "\(name)")
    }
  }

  @Test func `a result names its suite and case if only settings under test were changed`() throws {
    func result(_ adjust: (inout SimulationConfiguration) -> Void) throws -> SimulationResult {
      var configuration = try Study.suiteCase("cards/lh-slow4g/browser")
      adjust(&configuration)
      return try ResultFixture.result(
        ResultFixture.run(waits: []), of: configuration, time: .virtual)
    }
    let adjusted = try result {
      $0.loader.prefetch = .none
      $0.cache.memoryBytes = 1
    }
    #expect(adjusted.suite == "v1" && adjusted.suiteCase == "cards/lh-slow4g/browser")
    #expect(try SimulationResult(json: adjusted.json()) == adjusted)
    for other in [
      try result { $0.seed = 2 }, try result { $0.viewport.density = 2 },
      try result { $0.network.http = .http2 },
      try result { $0.decoding.cores = 1 },
    ] {
      #expect(other.suite == nil && other.suiteCase == nil)
    }
  }

  @Test(arguments: ["v1", "v2"]) func `the citation has the hash of the suite`(suite: String) throws {
    let hash = SHA256.hex(of: Array(try Documentation.file(named: "suite-\(suite).json")))
    let citation = String(decoding: try Documentation.file(named: "../CITATION.cff"), as: UTF8.self)
    #expect(citation.contains("sha256:\(hash)\n"), "write sha256:\(hash) into CITATION.cff")
  }

  @Test func `in suite v2 the version of HTTP and the physics are balanced against every other setting`()
    throws
  {
    let cases = try Study(suite: "v2") { _ in }.cases.map(\.values)
    #expect(cases.count == 36 && Set(cases).count == 36)
    func count(_ conditions: (Int, String)...) -> Int {
      cases.count { one in conditions.allSatisfy { one[$0] == $1 } }
    }
    for (parameter, names) in [(0, 3), (1, 4), (2, 4)] {
      for name in Set(cases.map { $0[parameter] }) {
        for http in ["1", "2", "3"] {
          #expect(count((parameter, name), (3, http)) == names, "\(name) \(http)")
        }
      }
    }
    for parameter in 1...3 {
      for name in Set(cases.map { $0[parameter] }) {
        #expect(count((parameter, name), (4, "android")) == 6, "\(name)")
      }
    }
    for one in cases { #expect(count((1, one[1]), (2, one[2]), (4, "android")) == 2, "\(one)") }
  }

  @Test func `suite v2 accepts seeds of one half, and a result names its case under each`() throws {
    func study(_ seed: UInt64, _ replicas: Int = 20) throws -> Study {
      try Study(suite: "v2") {
        $0.seed = seed
        $0.replicas = replicas
      }
    }
    for (seed, replicas) in [(1, 1_000), (981, 20), (1_001, 1_000)] { _ = try study(UInt64(seed), replicas) }
    for (seed, replicas) in [(0, 1), (982, 20), (1_001, 1_001), (UInt64.max, 2)] {
      let error = #expect(throws: LoadError.self, "\(seed)") { try study(seed, replicas) }
      #expect(error?.message.contains("1 to 1000 for tuning, 1001 to 2000 for results") == true)
    }
    #expect(throws: LoadError.self) { try Study(suite: "v2") { $0.list.rows = 10 } }
    // The results have one replica.
    for (seed, suite) in [(1_001, "v2"), (2_000, "v2"), (2_001, nil)] as [(UInt64, String?)] {
      var configuration = try #require(try study(1).cases.last).configuration
      configuration.seed = seed
      let result = try ResultFixture.result(ResultFixture.run(waits: []), of: configuration, time: .virtual)
      #expect(result.suite == suite, "\(seed)")
    }
  }
}
