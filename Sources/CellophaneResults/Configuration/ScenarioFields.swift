internal import Cellophane

/// The fields of one object of a scenario. A field that is missing or null has its default. An unknown field,
/// or a value of the wrong type, is an error with its path.
struct ScenarioFields<Key: CodingKey & CaseIterable> {
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let container: KeyedDecodingContainer<Key>

  /// Reads the fields of the object at `decoder`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the value is not an object, or has a field that is not of
  ///   `Key`.
  init(_ decoder: any Decoder) throws {
    let known = Key.allCases.map(\.stringValue)
    do {
      let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
      if let unknown = names.first(where: { !known.contains($0) }) {
        let path = ScenarioField.path(decoder.codingPath)
        throw ScenarioField.error(
          path.isEmpty ? unknown : path + "." + unknown,
          "unknown field; the fields are \(known.joined(separator: ", "))")
      }
      container = try decoder.container(keyedBy: Key.self)
    } catch is DecodingError {
      let path = ScenarioField.path(decoder.codingPath)
      throw ScenarioField.error(
        path, "must be an object" + (path.isEmpty ? "" : "; its fields are \(known.joined(separator: ", "))"))
    }
  }

  /// Returns the value of `key`; nil if absent.
  func value<Value: Decodable>(_ key: Key, _: Value.Type = Value.self) throws -> Value? {
    do {
      return try container.decodeIfPresent(Value.self, forKey: key)
    } catch let error as LoadError {
      throw error
    } catch {
      // The error of a list element contains its path. Foundation's error for a number out of range contains
      // none.
      let inner = (error as? DecodingError)?.codingPath ?? []
      let path = inner.count > container.codingPath.count + 1 ? ScenarioField.path(inner) : path(key)
      throw ScenarioField.error(path, "must be \(Self.kind(of: Value.self))")
    }
  }

  /// Returns the result of `parse` for the text of `key`; nil if absent.
  func parsed<Value>(_ key: Key, _ parse: (String) throws -> Value) throws -> Value? {
    guard let text = try value(key, String.self) else { return nil }
    do { return try parse(text) } catch let cause as LoadError { throw error(key, cause.message) }
  }

  /// Returns the choice with the name at `key`; nil if absent.
  func choice<Value: RawRepresentable<String> & CaseIterable>(_ key: Key) throws -> Value? {
    guard let text = try value(key, String.self) else { return nil }
    guard let choice = Value(rawValue: text) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw error(key, "unknown value '\(text)'; use one of \(names)")
    }
    return choice
  }

  /// Returns the width and the height at `key`; nil if absent.
  func size(_ key: Key) throws -> PixelSize? {
    guard let sides = try value(key, [Int].self) else { return nil }
    guard sides.count == 2 else { throw error(key, "must be a width and a height, [WIDTH, HEIGHT]") }
    return PixelSize(width: sides[0], height: sides[1])
  }

  /// Returns the duration at `key`, which is in milliseconds; nil if absent.
  ///
  /// - Parameter least: The lower end of the range in an error message. A later check refuses other values below it.
  func duration(_ key: Key, from least: Double = 0) throws -> Duration? {
    guard let milliseconds = try value(key, Double.self) else { return nil }
    // A day: the longest run, and far from overflow.
    guard (0...86_400_000).contains(milliseconds) else {
      throw error(key, ScenarioField.rangeReason(least...86_400_000, not: milliseconds))
    }
    return .roundedSeconds(milliseconds / 1_000)
  }

  /// Returns true if `key` has a value.
  func has(_ key: Key) -> Bool {
    container.contains(key) && (try? container.decodeNil(forKey: key)) != true
  }

  /// Returns the fields of the object at `key`; nil if absent.
  func fields<Inner>(_ key: Key, _: Inner.Type) throws -> ScenarioFields<Inner>? {
    guard has(key) else { return nil }
    return try ScenarioFields<Inner>(try container.superDecoder(forKey: key))
  }

  /// Returns the error for `key`.
  func error(_ key: Key, _ reason: String) -> LoadError { ScenarioField.error(path(key), reason) }

  private func path(_ key: Key) -> String { ScenarioField.path(container.codingPath + [key]) }

  private static func kind(of type: any Any.Type) -> String {
    switch type {
    case is Int.Type: "a whole number"
    case is UInt64.Type: "a whole number, 0 or greater"
    case is Double.Type: "a number"
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is HTTPVersion.Type: "a version, such as 1 or \"2-fifo\""
    case is [Int].Type: "a list of whole numbers"
    case is [Double].Type: "a list of numbers"
    case is [String].Type: "a list of strings"
    case is [ScheduledEvent].Type: "a list of objects"
    default: "of another type"
    }
  }
}
