import Testing

@testable import CellophaneResults
internal import SimulationTestSupport
internal import TestSupport

@Suite struct AdviceTests {
  @Test func `the regrets cover the scenario and its variations`() throws {
    let advice = try AdviceFixture.advice()
    let regrets = advice.regrets
    #expect(regrets.count == 4)
    let rows = try #require(regrets[.rows(16)])
    #expect(abs(rows.mean - 0.005) < 1e-12 && abs(rows.worst - 0.01) < 1e-12)
    #expect(rows.worstCondition == 1 && rows.nearBest == 1)
    let none = try #require(regrets[.none])
    #expect(abs(none.mean - 0.125) < 1e-12 && none.worstCondition == 0 && none.nearBest == 0)
    #expect(advice.recommended == .rows(16))
    #expect(advice.frontier == [.none, .rows(8), .rows(16), .landing])
  }

  @Test func `the candidates include the configured policy once`() {
    var base = SimulationConfiguration()
    #expect(
      Advice.candidates(for: base).map(\.name) == [
        "none", "rows:4", "rows:8", "rows:12", "rows:16", "rows:24", "rows:32", "rows:8,2.5",
        "screens:2.5,1.5", "landing",
      ])
    base.loader.prefetch = .compose
    #expect(Advice.candidates(for: base).last == .compose && Advice.candidates(for: base).count == 11)
  }

  @Test func `the configured policy is compared even if others beat it`() throws {
    let candidates = try AdviceFixture.trials(["none": (0.2, 5), "rows:8": (0.08, 10), "landing": (0.09, 11)])
    #expect(Advice.compared(of: candidates, configured: .landing) == [.none, .rows(8), .landing])
    #expect(Advice.compared(of: candidates, configured: .rows(8)) == [.none, .rows(8)])
  }

  @Test func `a gain is confirmed by its interval, and only if it matters`() throws {
    #expect(try AdviceFixture.advice(gain: 0.02).confirmation?.claim == .better)
    #expect(try AdviceFixture.advice(gain: -0.02).confirmation?.claim == .worse)
    // Below 0.05 points.
    #expect(try AdviceFixture.advice(gain: 0.0004).confirmation?.claim == nil)
    // Too few replicas for an interval.
    let few = try #require(try AdviceFixture.confirmation(gain: 0.02, replicas: 9))
    #expect(few.claim == nil && few.difference.interval == nil)
    #expect(few.recommended.bytes == 13e6 && few.configured.bytes == 11e6)
  }

  @Test func `a choice uses fewer replicas than the comparison that it states`() {
    func numbers(_ replicas: Int) -> [Int] {
      let all = Advice.Replicas(replicas)
      return [all.confirmation, all.scenario, all.variation]
    }
    #expect(numbers(20) == [20, 5, 3] && numbers(5) == [5, 2, 1] && numbers(1) == [1, 1, 1])
  }

  @Test func `the schema has exactly the written fields`() throws {
    let schema = try JSONSchema(named: "cellophane.advice.schema.json")
    var advice = try AdviceFixture.advice(broken: ["1 wrong images shown"])
    advice.reproduce = "cellophane advise"
    advice.command = "cellophane simulate --prefetch rows:16"
    let values = try [advice, AdviceFixture.kept()].map { try AnyJSON($0.json()) }
    #expect(schema.disagreements(with: values, to: [".config"]) == [])
    let text = String(decoding: try advice.json(), as: UTF8.self)
    for (old, new) in [
      ("\"frontier\" : true", "\"frontier\" : 1"), ("advice/1", "advice/2"),
      ("\"claim\" : \"better\"", "\"claim\" : \"less\""),
      ("\"near_best\"", "\"near\""), ("\"tolerance\" : 0.001", "\"tolerance\" : \"0.001\""),
    ] {
      #expect(text.contains(old), "\(old)")
      #expect(schema.faults(of: try AnyJSON(text.replacing(old, with: new).utf8)) != [], "\(new)")
    }
  }

  @Test func `the choice can be computed again from the JSON`() throws {
    let json = try AnyJSON(try AdviceFixture.advice().json())
    let conditions = try #require(json["conditions"]?.list).map { $0["policies"]?.list ?? [] }
    let blank = conditions.map { $0.compactMap { $0["blank_ratio"]?.number } }
    let regrets = blank.map(AdviceRule.regrets)
    let means = blank[0].indices.map { column in
      regrets.reduce(0) { $0 + $1[column] } / Double(regrets.count)
    }
    let choice = AdviceRule.choice(
      regrets: means, bytes: conditions[0].compactMap { $0["bytes_per_min"]?.number }, configured: nil)
    #expect(conditions[0][choice]["prefetch"] == json["recommendation"]?["prefetch"])
    #expect(json["recommendation"]?["prefetch"]?.text == "rows:16")
    #expect(json["recommendation"]?["concurrency"]?.number == 4)
  }
}
