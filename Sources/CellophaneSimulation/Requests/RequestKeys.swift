/// Numbers for the ids of a trace, from 0 in the order in which they come; an id of another size has another number.
struct RequestKeys: Sendable {
  /// What a trace calls what is asked for.
  enum ID: Hashable, Sendable {
    /// A number that is written as one is, without zeros in front.
    case number(UInt64)
    case text(String)

    /// The id that stands in a line of text.
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
  /// What the texts take together.
  private var bytes = 0

  /// The most bytes that the texts of all different ids may take together. 256 MB: 100 for each of so many requests.
  static let mostBytes = 256 << 20

  /// The number of `id` in this size; nil when it is one too many.
  mutating func key(of id: ID, size: Int) -> Int? {
    let version = Version(id: id, size: size)
    if let number = numbers[version] { return number }
    if case .text(let text) = id { bytes += text.utf8.count }
    guard bytes <= Self.mostBytes else { return nil }
    numbers[version] = numbers.count
    return numbers.count - 1
  }
}
