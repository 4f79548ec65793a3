extension OutputName {
  /// Returns the last component of the path of a URL without percent-encoding, in its parts before and after the
  /// last dot.
  static func fileName(of url: String) -> (stem: String, ext: String) {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    // The part after the scheme.
    let rest = path.split(separator: "://", maxSplits: 1).last ?? ""
    guard let slash = rest.lastIndex(of: "/") else { return ("", "") }
    let name = rest[rest.index(after: slash)...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (decoded(name), "") }
    return (decoded(name[..<dot]), decoded(name[name.index(after: dot)...]))
  }

  /// Returns `text` with percent-encoded bytes decoded, if the result is UTF-8; otherwise `text`.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      // `UInt8` would accept a sign.
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.first != UInt8(ascii: "+"),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(text)
  }

  /// Returns `text` with `_` instead of all characters that are not safe in file names on every system. Letters and
  /// symbols of all languages stay.
  ///
  /// - Parameter length: The maximum number of characters; nil for no limit but ``longest``.
  static func clean(_ text: String, _ length: Int?) -> String {
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars.prefix(length ?? longest) {
      let kept = isSafe(scalar) ? scalar : "_"
      count += UTF8.width(kept)
      if count > longest { break }
      scalars.append(kept)
    }
    let name = String(scalars)
    // A leading dot would hide the file, or be a relative path.
    return name.isEmpty || name.utf8.first == UInt8(ascii: ".") ? "_" + name : name
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".": true
      default: false
      }
    }
    // Without control and format characters, which can reverse the direction of a text, and without white space.
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
