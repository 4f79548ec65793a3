import Cellophane
import CellophaneSimulation
import Testing

@Suite struct PrefetchRuleTests {
  @Test(arguments: [
    "none", "rows:0", "rows:200", "screens:2.5,1.5", "flutter", "compose", "deadline", "landing",
  ])
  func `names are read as they are written`(name: String) throws {
    #expect(try PrefetchRule(parsing: name).name == name)
  }

  @Test(arguments: [
    ("glide:3", PrefetchRule.rows(3)), ("12", .rows(12)), ("0", .rows(0)),
    ("asdk", .screens(leading: 2.5, trailing: 1.5)),
  ])
  func `other lists' names are read`(name: String, rule: PrefetchRule) throws {
    #expect(try PrefetchRule(parsing: name) == rule)
  }

  @Test(arguments: [
    "", "rows", "rows:", "rows:-1", "rows:201", "rows:1,2", "rows:x", "none:", "landing:1", "screens:1",
    "screens:1,11", "screens:nan,1", "screens:1,2,3", "Landing", "deadline:", "glide",
    "asdk:1", "201", "-1", "1.5", "compose:", "flutter:250",
  ])
  func `other names are refused`(name: String) {
    let error = #expect(throws: LoadError.self) { try PrefetchRule(parsing: name) }
    #expect(error?.kind == .invalidRequest)
  }
}
