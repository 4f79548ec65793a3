internal import Cellophane

/// One field of a scenario, by the path that messages name: `gesture.flick.median`.
enum ScenarioField {
  /// The refusal of a field.
  static func refused(_ path: String, _ reason: String) -> LoadError {
    LoadError(.invalidRequest, path.isEmpty ? "the scenario: \(reason)" : "\(path): \(reason)")
  }

  /// - Throws: ``LoadError/Kind/invalidRequest`` unless `value` lies in `range`; what is not a number lies in none.
  static func check<Value: Comparable>(
    _ value: Value, _ path: String, within range: ClosedRange<Value>
  ) throws(LoadError) {
    guard range.contains(value) else {
      throw refused(path, "\(value) is not in \(range.lowerBound)...\(range.upperBound)")
    }
  }

  /// The path of a coding path: `list.image[1]`.
  static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return path + "[\(index)]" }
      return path.isEmpty ? key.stringValue : path + "." + key.stringValue
    }
  }
}
