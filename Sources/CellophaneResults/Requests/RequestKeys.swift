/// The keys of the ids of a trace, numbered from 0 in the order of their first request. An id with another
/// size gets another key.
struct RequestKeys: Sendable {
  /// The id of an object in a trace.
  enum ID: Hashable, Sendable {
    /// A decimal number without leading zeros.
    case number(UInt64)
    case text(String)

    /// Creates the id from the text of a field.
    init(_ text: ArraySlice<UInt8>) {
      let hasZeros = text.first == UInt8(ascii: "0") && text.count > 1
      if !hasZeros, let number = Int(ascii: text) {
        self = .number(UInt64(number))
      } else {
        self = .text(String(decoding: text, as: UTF8.self))
      }
    }
  }

  private struct Version: Hashable, Sendable {
    let id: ID
    let size: Int
  }

  private var numbers: [Version: Int] = [:]
  /// The number of bytes of all texts.
  private var bytes = 0

  /// The maximum number of bytes of the texts of all ids. 256 MB: 100 bytes for each of 2.5 million requests.
  static let maxTextBytes = 256 << 20

  /// Returns the key of `id` with this size; nil if the texts exceed the limit.
  mutating func key(of id: ID, size: Int) -> Int? {
    let version = Version(id: id, size: size)
    if let number = numbers[version] { return number }
    if case .text(let text) = id { bytes += text.utf8.count }
    guard bytes <= Self.maxTextBytes else { return nil }
    numbers[version] = numbers.count
    return numbers.count - 1
  }
}
