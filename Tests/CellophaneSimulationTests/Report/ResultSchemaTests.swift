import Testing

@testable import CellophaneSimulation

/// The published schema says what is written, no more and no less.
@Suite struct ResultSchemaTests {
  let schema: JSONSchema

  init() throws { schema = try JSONSchema(named: "cellophane.simulate.schema.json") }

  static func results() throws -> [SimulationResult] {
    let waits = [
      SimulationResultTests.wait(10), SimulationResultTests.wait(20), SimulationResultTests.wait(9, false),
    ]
    let whole = SimulationResultTests.run(waits: waits, SimulationResultTests.everything)
    let empty = SimulationResultTests.run(waits: [])
    var judged = try SimulationResultTests.result(
      whole, oracle: whole, time: .virtual, replicas: 3, planned: 9, waiting: [(1, 2)])
    judged.assertions = [try Assertion(parsing: "blank_ratio<1").checked(on: judged)]
    judged.recording = try PlayedRun(seconds: 5).recording()
    return [
      judged,
      try SimulationResultTests.result(empty, naive: whole, urls: ["http://a/1"]),
    ]
  }

  @Test func `what is written keeps to it`() throws {
    for result in try Self.results() { #expect(schema.faults(of: try JSONValue(result.json())) == []) }
  }

  @Test func `it has every field that is written, and no other`() throws {
    // Between them, they have everything.
    let written = try Self.results().map { try JSONValue($0.json()) }.reduce(into: Set<String>()) {
      $0.formUnion(paths(of: $1, by: schema.root, ""))
    }
    #expect(written.subtracting(fields(of: schema.root, "")) == [])
    // A bound is only written of a quantile that was not reached, an interval only of what has one.
    let unwritten = fields(of: schema.root, "").subtracting(written).filter {
      !$0.hasSuffix("_bound") && !$0.hasSuffix("_ci95")
    }
    #expect(unwritten == [])
  }

  @Test func `a number as a text, a missing field and another choice are found`() throws {
    let json = String(decoding: try Self.results()[0].json(), as: UTF8.self)
    for (old, new) in [
      ("\"better\" : \"lower\"", "\"better\" : \"down\""), ("\"deadlocks\" : 1", "\"deadlocks\" : \"1\""),
      ("\"left_over\"", "\"left_beside\""), ("\"name\" : \"cold\"", "\"name\" : \"warm\""),
    ] {
      let changed = json.replacing(old, with: new)
      #expect(changed != json)
      #expect(schema.faults(of: try JSONValue(changed.utf8)) != [], "\(new)")
    }
  }

  /// The fields of `value`, without those of the configuration, which have a schema of their own; names that are data
  /// stand as `*`.
  private func paths(of value: JSONValue, by reference: JSONValue, _ path: String) -> Set<String> {
    let schema = self.schema.resolved(reference)
    if path == ".config" { return [path] }
    switch value {
    case .object(let members):
      return members.reduce(into: []) { paths, member in
        let property = schema["properties"]?[member.key]
        let name = property == nil && schema["additionalProperties"] != nil ? "*" : member.key
        paths.formUnion(
          self.paths(
            of: member.value, by: property ?? schema["additionalProperties"] ?? .null, path + "." + name))
      }
    case .list(let elements):
      return elements.reduce(into: [path]) {
        $0.formUnion(paths(of: $1, by: schema["items"] ?? .null, path))
      }
    default: return [path]
    }
  }

  /// The fields that `reference` names.
  private func fields(of reference: JSONValue, _ path: String) -> Set<String> {
    let schema = self.schema.resolved(reference)
    if path == ".config" { return [path] }
    var fields: Set<String> = []
    for (name, property) in schema["properties"]?.members ?? [:] {
      fields.formUnion(self.fields(of: property, path + "." + name))
    }
    if let others = schema["additionalProperties"] { fields.formUnion(self.fields(of: others, path + ".*")) }
    if let items = schema["items"] { fields.formUnion(self.fields(of: items, path)) }
    return fields.isEmpty || schema["items"] != nil ? fields.union([path]) : fields
  }
}
