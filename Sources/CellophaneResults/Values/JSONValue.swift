#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Any JSON value. Shows the content of a file without a type for its fields.
package enum JSONValue: Codable, Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  /// A whole number from 2⁵³ on, such as a seed. A `Double` does not represent all of them.
  case large(UInt64)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: JSONKey.self) {
      var fields: [String: JSONValue] = [:]
      for key in object.allKeys { fields[key.stringValue] = try object.decode(JSONValue.self, forKey: key) }
      self = .object(fields)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      let whole = number < Self.firstLarge ? nil : try? value.decode(UInt64.self)
      self = whole.map { .large($0) } ?? .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else {
      self = .array(try value.decode([JSONValue].self))
    }
  }

  /// Converts `value` to the JSON that it encodes to.
  package init(_ value: some Encodable) throws {
    self = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
  }

  /// The first number from which a `Double` does not represent every whole number.
  private static let firstLarge = 0x1p53

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .number(let number): try container.encode(number)
    case .large(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .array(let values): try container.encode(values)
    case .object(let fields): try container.encode(fields)
    }
  }

  /// The maximum number of elements of an array in ``text``: a list of URLs may have thousands.
  private static let maxListed = 12

  /// The value on one line.
  package var text: String {
    switch self {
    case .null: "none"
    case .bool(let bool): bool ? "yes" : "no"
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? Quantity.grouped(number) : "\(number)"
    case .large(let number): "\(number)"
    case .text(let text): text
    case .array(let values):
      values.prefix(Self.maxListed).map(\.text).joined(separator: ", ")
        + (values.count > Self.maxListed ? ", ..., \(Quantity.grouped(Double(values.count))) in all" : "")
    case .object(let fields):
      fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }.joined(separator: ", ")
    }
  }
}
