#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// JSON output. Keys are sorted, so that equal values give equal text.
package enum JSONText {
  /// Returns `value` as indented JSON with a final line break.
  package static func lines(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return escapingControls(Array(try encoder.encode(value))) + [UInt8(ascii: "\n")]
  }

  /// Returns `value` on one line, without a line break.
  package static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return escapingControls(Array(try encoder.encode(value)))
  }

  /// Returns `json` with escape sequences for DEL and the C1 controls, which control some terminals. The encoder
  /// escapes only what JSON requires.
  private static func escapingControls(_ json: [UInt8]) -> [UInt8] {
    // Fast path
    if !json.contains(where: { $0 == 0x7F || $0 == 0xC2 }) { return json }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if ("\u{7F}"..."\u{9F}").contains(scalar) {
        escaped += ("\\u00" + String(scalar.value, radix: 16)).utf8
      } else {
        escaped += scalar.utf8
      }
    }
    return escaped
  }
}
