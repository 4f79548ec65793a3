/// A setting that differs between two results.
package struct SettingDifference: Sendable, Hashable, Codable {
  /// The path of the field of a scenario, such as `cache.memory_bytes`, or of the tool, such as
  /// `tool.version`.
  package let path: String
  /// The values in the first and in the second result; `null` where the setting does not apply.
  let first, second: JSONValue

  /// Both values as text.
  package var texts: (first: String, second: String) { (Self.text(first), Self.text(second)) }

  /// Returns a value as in a scenario, so that a number can be copied.
  private static func text(_ value: JSONValue) -> String {
    if case .number(let number) = value, let integer = Int(exactly: number) { return "\(integer)" }
    return value.text
  }

  /// Returns all differences between two results, by path.
  static func all(_ first: SimulationResult, _ second: SimulationResult) -> [SettingDifference] {
    let (one, other) = (settings(of: first), settings(of: second))
    return Set(one.keys).union(other.keys).sorted().compactMap { path in
      let (first, second) = (one[path] ?? .null, other[path] ?? .null)
      return first == second ? nil : SettingDifference(path: path, first: first, second: second)
    }
  }

  /// Returns the settings of `result` and of its tool, without derived values.
  private static func settings(of result: SimulationResult) -> [String: JSONValue] {
    // Encoding cannot fail: both types are defined in this module.
    let played = (try? JSONValue(result.config.asPlayed)) ?? .null
    let tool = (try? JSONValue(result.tool)) ?? .null
    var settings: [String: JSONValue] = [:]
    collect(played, at: "", into: &settings)
    collect(tool, at: "tool", into: &settings)
    // A scenario omits a density of 1.
    settings["viewport.density"] = .number(result.config.viewport.density)
    return settings
  }

  private static func collect(_ value: JSONValue, at path: String, into settings: inout [String: JSONValue]) {
    guard case .object(let fields) = value else {
      settings[path] = value
      return
    }
    for (name, field) in fields {
      collect(field, at: path.isEmpty ? name : path + "." + name, into: &settings)
    }
  }
}
