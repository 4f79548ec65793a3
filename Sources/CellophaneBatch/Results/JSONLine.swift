/// One JSON object, written member by member. A thousand lines of a list are answered in the time in which a general
/// encoder answers some tens, and members of other JSON can be carried over as they stand.
package struct JSONLine: Sendable {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ name: String, _ value: String) {
    begin(name)
    bytes.append(json: value)
  }

  package mutating func add(_ name: String, _ value: Int) {
    begin(name)
    bytes.append(contentsOf: "\(value)".utf8)
  }

  package mutating func add(_ name: String, _ value: Bool) {
    begin(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// To the thousandth; what is no number is null.
  package mutating func add(_ name: String, _ value: Double) {
    begin(name)
    guard value.isFinite else { return bytes.append(contentsOf: "null".utf8) }
    let thousandths = (value * 1_000).rounded() / 1_000
    if let whole = Int(exactly: thousandths) {
      bytes.append(contentsOf: "\(whole)".utf8)
    } else {
      bytes.append(contentsOf: "\(thousandths)".utf8)
    }
  }

  /// An object of its own.
  package mutating func add(_ name: String, _ members: JSONLine) { add(name, members: members.bytes) }

  /// An object of these members, which are JSON already.
  package mutating func add(_ name: String, members: [UInt8]) {
    begin(name)
    bytes.append(UInt8(ascii: "{"))
    bytes.append(contentsOf: members)
    bytes.append(UInt8(ascii: "}"))
  }

  /// The whole object and a line break.
  package var line: [UInt8] { [UInt8(ascii: "{")] + bytes + Array("}\n".utf8) }

  private mutating func begin(_ name: String) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    bytes.append(json: name)
    bytes.append(UInt8(ascii: ":"))
  }
}

extension [UInt8] {
  /// Adds `text` as a JSON string.
  mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case UInt8(ascii: "\n"): append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\r"): append(contentsOf: "\\r".utf8)
      case UInt8(ascii: "\t"): append(contentsOf: "\\t".utf8)
      // DEL, too, which steers some terminals.
      case ..<0x20, 0x7F:
        append(contentsOf: "\\u00".utf8)
        append(Self.hexadecimal[Int(byte >> 4)])
        append(Self.hexadecimal[Int(byte & 0xF)])
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
}
