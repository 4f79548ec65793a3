internal import Cellophane

/// The fields of one object of a scenario. What is missing or null keeps its default; what is unknown, or of another
/// kind than expected, is refused with its path.
struct ScenarioFields<Key: CodingKey & CaseIterable> {
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let container: KeyedDecodingContainer<Key>

  /// The fields of the object that `decoder` stands at.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when it is no object, or has a field that is not of `Key`.
  init(_ decoder: any Decoder) throws {
    let known = Key.allCases.map(\.stringValue)
    do {
      let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
      if let unknown = names.first(where: { !known.contains($0) }) {
        let path = ScenarioField.path(decoder.codingPath)
        throw ScenarioField.refused(
          path.isEmpty ? unknown : path + "." + unknown,
          "there is no such field; there are \(known.joined(separator: ", "))")
      }
      container = try decoder.container(keyedBy: Key.self)
    } catch is DecodingError {
      throw ScenarioField.refused(ScenarioField.path(decoder.codingPath), "must be an object")
    }
  }

  /// The value of `key`; nil when there is none.
  func value<Value: Decodable>(_ key: Key, _: Value.Type = Value.self) throws -> Value? {
    do {
      return try container.decodeIfPresent(Value.self, forKey: key)
    } catch let error as LoadError {
      throw error
    } catch {
      // An element of a list has a path of its own; a number that does not fit comes as an error of Foundation's.
      let inner = (error as? DecodingError)?.codingPath ?? []
      let path = inner.count > container.codingPath.count + 1 ? ScenarioField.path(inner) : path(key)
      throw ScenarioField.refused(path, "must be \(Self.kind(of: Value.self))")
    }
  }

  /// What `parse` makes of the text of `key`; nil when there is none.
  func parsed<Value>(_ key: Key, _ parse: (String) throws -> Value) throws -> Value? {
    guard let text = try value(key, String.self) else { return nil }
    do { return try parse(text) } catch let error as LoadError { throw refused(key, error.message) }
  }

  /// The choice that the text of `key` names; nil when there is none.
  func choice<Value: RawRepresentable<String> & CaseIterable>(_ key: Key) throws -> Value? {
    guard let text = try value(key, String.self) else { return nil }
    guard let choice = Value(rawValue: text) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw refused(key, "there is no '\(text)'; take one of \(names)")
    }
    return choice
  }

  /// The width and the height that `key` lists; nil when there is none.
  func size(_ key: Key) throws -> PixelSize? {
    guard let sides = try value(key, [Int].self) else { return nil }
    guard sides.count == 2 else { throw refused(key, "must be a width and a height, [WIDTH, HEIGHT]") }
    return PixelSize(width: sides[0], height: sides[1])
  }

  /// The duration whose milliseconds `key` has; nil when there is none.
  func duration(_ key: Key) throws -> Duration? {
    guard let milliseconds = try value(key, Double.self) else { return nil }
    // A day: longer than anything that can be played, and far from overflow.
    guard (0...86_400_000).contains(milliseconds) else {
      throw refused(key, "\(milliseconds) is not a number of milliseconds within a day")
    }
    return .roundedSeconds(milliseconds / 1_000)
  }

  /// True when there is a value for `key`.
  func has(_ key: Key) -> Bool {
    container.contains(key) && (try? container.decodeNil(forKey: key)) != true
  }

  /// The fields of the object at `key`; nil when there is none.
  func fields<Inner>(_ key: Key, _: Inner.Type) throws -> ScenarioFields<Inner>? {
    guard has(key) else { return nil }
    return try ScenarioFields<Inner>(try container.superDecoder(forKey: key))
  }

  /// The refusal of `key`.
  func refused(_ key: Key, _ reason: String) -> LoadError { ScenarioField.refused(path(key), reason) }

  private func path(_ key: Key) -> String { ScenarioField.path(container.codingPath + [key]) }

  private static func kind(of type: any Any.Type) -> String {
    switch type {
    case is Int.Type: "a whole number"
    case is UInt64.Type: "a whole number of 0 or more"
    case is Double.Type: "a number"
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is [Int].Type: "a list of whole numbers"
    case is [Double].Type: "a list of numbers"
    case is [String].Type: "a list of texts"
    case is [ScheduledEvent].Type: "a list of objects"
    default: "something else"
    }
  }
}
