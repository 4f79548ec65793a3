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
    return .object([
      "config": try AnyJSON(try JSONEncoder().encode(completed)), "offsets_px": .list(offsets),
    ])
  }

  private struct Published: Decodable {
    struct Case: Decodable { let config: SimulationConfiguration }
    let cases: [String: Case]
  }

  @Test func `suite v1 equals its published cases, independent of the defaults`() throws {
    let file = try Documentation.file(named: "suite-v1.json")
    let (published, readable) = (try AnyJSON(file), try JSONDecoder().decode(Published.self, from: file))
    #expect(published["suite"]?.text == "v1")
    let study = try Study(suite: "v1") { _ in }
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
}
