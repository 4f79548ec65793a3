package import FoundationEssentials

/// A validator for the part of JSON Schema 2020-12 that this repository's schemas use.
///
/// It refuses other keywords, so that no schema contains a keyword without effect.
package struct JSONSchema: Sendable {
  package struct UnknownKeyword: Error {
    package let path: String
    package let keyword: String
  }

  /// The error for a schema with a `$id` other than its file name. Other schemas could not refer to it.
  package struct OtherName: Error {
    package let file: String
    package let id: String?
  }

  package let root: AnyJSON

  /// Reads the schema with this name from the documentation.
  package init(named name: String) throws {
    root = try AnyJSON(Documentation.file(named: "schemas/\(name)"))
    guard root["$id"]?.text == name else { throw OtherName(file: name, id: root["$id"]?.text) }
    try Self.check(root, "")
  }

  /// The path and the schema of a field without further fields.
  package typealias Leaf = (path: [String], schema: AnyJSON)

  /// The fields without further fields.
  package var leaves: [Leaf] { Self.leaves(of: root, at: []) }

  /// Returns the paths of the fields in `value`, without fields below one of `ends`. A name that is data is written
  /// `*`.
  package func paths(of value: AnyJSON, to ends: Set<String> = []) -> Set<String> {
    paths(of: value, by: root, "", to: ends)
  }

  /// Returns the paths of the fields that the schema names.
  package func fields(to ends: Set<String> = []) -> Set<String> { fields(of: root, "", to: ends) }

  private func paths(
    of value: AnyJSON, by reference: AnyJSON, _ path: String, to ends: Set<String>
  ) -> Set<String> {
    let schema = resolved(reference)
    if ends.contains(path) { return [path] }
    switch value {
    case .object(let members):
      return members.reduce(into: []) { paths, member in
        let property = schema["properties"]?[member.key]
        let others = schema["additionalProperties"]
        let name = property == nil && others != nil ? "*" : member.key
        paths.formUnion(
          self.paths(of: member.value, by: property ?? others ?? .null, path + "." + name, to: ends))
      }
    case .list(let elements):
      return elements.reduce(into: [path]) {
        $0.formUnion(paths(of: $1, by: schema["items"] ?? .null, path, to: ends))
      }
    default: return [path]
    }
  }

  private func fields(of reference: AnyJSON, _ path: String, to ends: Set<String>) -> Set<String> {
    let schema = resolved(reference)
    if ends.contains(path) { return [path] }
    var fields: Set<String> = []
    for (name, property) in schema["properties"]?.members ?? [:] {
      fields.formUnion(self.fields(of: property, path + "." + name, to: ends))
    }
    if let others = schema["additionalProperties"] {
      fields.formUnion(self.fields(of: others, path + ".*", to: ends))
    }
    if let items = schema["items"] { fields.formUnion(self.fields(of: items, path, to: ends)) }
    return fields.isEmpty || schema["items"] != nil ? fields.union([path]) : fields
  }

  /// Returns the differences between the schema and `values`, which together must contain every field.
  ///
  /// A difference is an invalid value, a field that the schema does not name, or a field that no value contains. Fields
  /// below one of `ends` are not compared.
  package func disagreements(with values: [AnyJSON], to ends: Set<String> = []) -> [String] {
    let written = values.reduce(into: Set<String>()) { $0.formUnion(paths(of: $1, to: ends)) }
    return values.flatMap { faults(of: $0) }
      + written.subtracting(fields(to: ends)).map { "\($0): is not named" }
      + fields(to: ends).subtracting(written).map { "\($0): is never written" }
  }

  /// Returns the parts of `value` that the schema does not allow, as paths with a reason.
  package func faults(of value: AnyJSON) -> [String] { faults(of: value, in: root, at: "") }

  /// Returns the schema that `$ref` names: a definition, or the root of another schema. Returns `schema` without a
  /// `$ref`.
  package func resolved(_ schema: AnyJSON) -> AnyJSON {
    guard let name = schema["$ref"]?.text else { return schema }
    let definition = "#/$defs/"
    if name.hasPrefix(definition) {
      return root["$defs"]?[String(name.dropFirst(definition.count))] ?? .bool(false)
    }
    return (try? JSONSchema(named: name).root) ?? .bool(false)
  }

  private static let keywords: Set<String> = [
    "$schema", "$id", "$defs", "$ref", "title", "description", "type", "enum", "pattern", "properties",
    "additionalProperties", "required", "items",
    "minItems", "maxItems", "minimum", "maximum",
  ]

  private static func check(_ schema: AnyJSON, _ path: String) throws {
    for (keyword, value) in schema.members ?? [:] {
      guard keywords.contains(keyword) else { throw UnknownKeyword(path: path, keyword: keyword) }
      if keyword == "items" || keyword == "additionalProperties" { try check(value, path + "[]") }
      if keyword == "properties" || keyword == "$defs" {
        for (name, property) in value.members ?? [:] { try check(property, path + "." + name) }
      }
    }
  }

  private static func leaves(of schema: AnyJSON, at path: [String]) -> [Leaf] {
    guard let properties = schema["properties"]?.members else { return [(path, schema)] }
    return properties.sorted { $0.key < $1.key }.flatMap { leaves(of: $1, at: path + [$0]) }
  }

  private func faults(of value: AnyJSON, in reference: AnyJSON, at path: String) -> [String] {
    let schema = resolved(reference)
    var faults: [String] = []
    func expect(_ holds: Bool, _ reason: String) { if !holds { faults.append("\(path): \(reason)") } }
    if let type = schema["type"] {
      let types = type.list ?? [type]
      expect(types.contains { Self.isOf($0.text ?? "", value) }, "is not of type \(types)")
    }
    if let choices = schema["enum"]?.list { expect(choices.contains(value), "is not one of \(choices)") }
    switch value {
    case .text(let text):
      if let pattern = schema["pattern"]?.text {
        expect((try? Regex(pattern).firstMatch(in: text)) != nil, "does not match \(pattern)")
      }
    case .number(let number):
      if let least = schema["minimum"]?.number { expect(number >= least, "is less than \(least)") }
      if let most = schema["maximum"]?.number { expect(number <= most, "is more than \(most)") }
    case .list(let elements):
      if let least = schema["minItems"]?.number { expect(elements.count >= Int(least), "is too short") }
      if let most = schema["maxItems"]?.number { expect(elements.count <= Int(most), "is too long") }
      guard let items = schema["items"] else { break }
      for (index, element) in elements.enumerated() {
        faults += self.faults(of: element, in: items, at: "\(path)[\(index)]")
      }
    case .object(let members):
      let properties = schema["properties"]?.members ?? [:]
      for (name, member) in members {
        if let property = properties[name] {
          faults += self.faults(of: member, in: property, at: path + "." + name)
        } else {
          expect(schema["additionalProperties"] != .bool(false), "has a field \(name)")
          if let others = schema["additionalProperties"], others.members != nil {
            faults += self.faults(of: member, in: others, at: path + "." + name)
          }
        }
      }
      for case let name? in (schema["required"]?.list ?? []).map(\.text) {
        expect(members[name] != nil, "lacks a field \(name)")
      }
    case .null, .bool: break
    }
    return faults
  }

  private static func isOf(_ type: String, _ value: AnyJSON) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .text), ("array", .list),
      ("object", .object):
      true
    case ("integer", .number(let number)): number == number.rounded()
    default: false
    }
  }
}

/// The repository's documentation.
package enum Documentation {
  /// Returns the contents of the file with this name.
  package static func file(named name: String) throws -> Data {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try Data(contentsOf: package.appending(path: "Documentation/\(name)"))
  }
}
