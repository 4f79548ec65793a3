internal import Cellophane

/// Errors about a field of a scenario. A field is identified by its path: `gesture.flick.median`.
enum ScenarioField {
  /// Returns the error for a field that cannot be played.
  static func error(_ path: String, _ reason: String) -> LoadError {
    LoadError(.invalidRequest, path.isEmpty ? "the scenario \(reason)" : "\(path): \(reason)")
  }

  /// Checks that `value` is in `range`. NaN is in no range.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with `path` otherwise.
  static func check<Value: Comparable>(
    _ value: Value, _ path: String, within range: ClosedRange<Value>
  ) throws(LoadError) {
    guard range.contains(value) else {
      throw error(path, range: range, not: value)
    }
  }

  /// Returns the error for a `value` that is not in `range`.
  static func error<Value>(_ path: String, range: ClosedRange<Value>, not value: some Any) -> LoadError {
    error(path, rangeReason(range, not: value))
  }

  /// Returns the reason for a `value` that is not in `range`: `must be from 1 to 240, not 0`.
  static func rangeReason<Value>(_ range: ClosedRange<Value>, not value: some Any) -> String {
    func text(_ bound: Value) -> String { "\(bound)".replacing(/[.]0$/, with: "") }
    return "must be from \(text(range.lowerBound)) to \(text(range.upperBound)), not \(value)"
  }

  /// Returns the text of a coding path: `list.image[1]`.
  static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return path + "[\(index)]" }
      return path.isEmpty ? key.stringValue : path + "." + key.stringValue
    }
  }
}
