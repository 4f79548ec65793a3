/// A setting in which two results differ.
public struct SettingDifference: Sendable, Hashable, Codable {
  /// Which one: the path of a scenario's field, such as `cache.memory_bytes`; or of what measured it, `tool.version`.
  public let path: String
  /// What the first and the second result had of it; `null` where it has no meaning.
  let first, second: JSONValue

  /// Both, as people write them.
  public var texts: (first: String, second: String) { (Self.text(first), Self.text(second)) }

  /// As a scenario has it, so that a number can be copied.
  private static func text(_ value: JSONValue) -> String {
    if case .number(let number) = value, let whole = Int(exactly: number) { return "\(whole)" }
    return value.text
  }

  /// All differences of two results, by path.
  static func all(_ first: SimulationResult, _ second: SimulationResult) -> [SettingDifference] {
    let (one, other) = (settings(of: first), settings(of: second))
    return Set(one.keys).union(other.keys).sorted().compactMap { path in
      let (first, second) = (one[path] ?? .null, other[path] ?? .null)
      return first == second ? nil : SettingDifference(path: path, first: first, second: second)
    }
  }

  /// What `result` was played with and measured by, without what follows from it.
  private static func settings(of result: SimulationResult) -> [String: JSONValue] {
    // Both are encoded by types of this module, which do not fail.
    let played = (try? JSONValue(result.config.asPlayed)) ?? .null
    let tool = (try? JSONValue(result.tool)) ?? .null
    var settings: [String: JSONValue] = [:]
    collect(played, at: "", into: &settings)
    collect(tool, at: "tool", into: &settings)
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
