internal import FoundationEssentials

/// A JSON value of any type.
package indirect enum AnyJSON: Hashable, Sendable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([AnyJSON])
  case object([String: AnyJSON])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([AnyJSON].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: AnyJSON].self))
    }
  }

  /// Decodes the JSON in `bytes`.
  package init(_ bytes: some Sequence<UInt8>) throws {
    self = try JSONDecoder().decode(AnyJSON.self, from: Data(bytes))
  }

  package subscript(name: String) -> AnyJSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var number: Double? { if case .number(let number) = self { number } else { nil } }
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var list: [AnyJSON]? { if case .list(let list) = self { list } else { nil } }
  package var members: [String: AnyJSON]? { if case .object(let members) = self { members } else { nil } }
}
