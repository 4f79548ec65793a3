/// The numbers of a BlurHash: base 83, the most significant digit first.
enum Base83 {
  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  /// The value of each byte; 255 for bytes that are no digits.
  private static let values: [UInt8] = {
    var values: [UInt8] = Array(repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Returns the digits of `text`; nil if it has another character.
  static func digits(of text: String) -> [UInt8]? {
    let digits = text.utf8.map { values[Int($0)] }
    return digits.contains(255) ? nil : digits
  }

  /// Returns the text of `digits`.
  static func text(of digits: [UInt8]) -> String {
    String(decoding: digits.map { alphabet[Int($0)] }, as: UTF8.self)
  }

  /// Returns the number with `digits`.
  static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 83 + Int($1) } }

  /// Returns the last `count` digits of `number`.
  static func digits(of number: Int, count: Int) -> [UInt8] {
    var (digits, rest): ([UInt8], Int) = ([], number)
    for _ in 0..<count {
      digits.append(UInt8(rest % 83))
      rest /= 83
    }
    return digits.reversed()
  }
}
