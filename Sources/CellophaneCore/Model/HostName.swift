/// Host names in other scripts than ASCII, in the form that name servers know (RFC 5891, UTS 46).
///
/// `FoundationEssentials` has no such conversion, and libcurl's depends on the locale of the process. The tables of
/// UTS 46 are not needed: case, full width and combining marks are mapped, and a character is refused that UTS 46 maps
/// in another way. Such a name can be written as `xn--…`.
enum HostName {
  /// The longest label of a name in bytes (RFC 1035, section 2.3.4).
  private static let longestLabel = 63

  /// Returns the ASCII form of `name`, in lower case; nil if the name has a character that no host name has.
  static func ascii(_ name: String) -> String? {
    var scalars: [Unicode.Scalar] = []
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0x3002, 0xFF0E, 0xFF61: scalars.append(".")
      // Full width
      case 0xFF01...0xFF5E:
        guard let narrow = Unicode.Scalar(scalar.value - 0xFEE0) else { return nil }
        scalars += narrow.properties.lowercaseMapping.unicodeScalars
      // Soft hyphen, zero-width space, word joiner, byte order mark, variation selectors
      case 0xAD, 0x200B, 0x2060, 0xFEFF, 0xFE00...0xFE0F, 0xE0100...0xE01EF: continue
      default: scalars += scalar.properties.lowercaseMapping.unicodeScalars
      }
    }
    let labels = CanonicalComposition.composed(scalars)
      .split(separator: ".", omittingEmptySubsequences: false).map(ascii(label:))
    return labels.contains(nil) ? nil : labels.compactMap(\.self).joined(separator: ".")
  }

  private static func ascii(label: ArraySlice<Unicode.Scalar>) -> String? {
    let text = label.reduce(into: "") { $0.unicodeScalars.append($1) }
    guard label.indices.allSatisfy({ isAllowed(label[$0], after: label[..<$0], before: label[($0 + 1)...]) })
    else { return nil }
    if label.allSatisfy(\.isASCII) { return text }
    guard !text.hasPrefix("xn--"), let code = Punycode.encoded(label) else { return nil }
    let ascii = "xn--" + code
    return ascii.utf8.count <= longestLabel ? ascii : nil
  }

  private static func isAllowed(
    _ scalar: Unicode.Scalar, after: ArraySlice<Unicode.Scalar>, before: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    if scalar.isASCII {
      return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
    }
    switch scalar {
    case "ß", "ς": return true
    // The joiners (RFC 5892, appendix A.1): after a virama, or between Arabic letters.
    case "\u{200C}", "\u{200D}":
      let isArabic = [after.last, before.first].allSatisfy { $0.map { (0x620...0x6FF) ~= $0.value } ?? false }
      return after.last?.properties.canonicalCombiningClass == .virama || scalar == "\u{200C}" && isArabic
    case "\u{FFFD}": return false
    default: break
    }
    if scalar.properties.changesWhenNFKCCaseFolded { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator:
      return false
    case .nonspacingMark, .spacingMark, .enclosingMark: return !after.isEmpty
    default: return true
    }
  }
}

/// The canonical composition of letters and marks (Unicode Normalization Form C), for lower-case text.
private enum CanonicalComposition {
  /// The letters with marks and the Hangul syllables, by their canonical form. Strings are equal if their canonical
  /// forms are.
  private static let letters: [String: Unicode.Scalar] = {
    var letters: [String: Unicode.Scalar] = [:]
    for value in [0xC0...0x1FFF, 0x3040...0x30FF, 0xAC00...0xD7A3].joined() {
      guard let letter = Unicode.Scalar(UInt32(value)), !letter.properties.changesWhenNFKCCaseFolded else {
        continue
      }
      letters[String(letter)] = letter
    }
    return letters
  }()

  /// Returns `scalars` with each mark combined with the letter before it, if there is such a letter.
  static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard scalars.contains(where: \.isCombining) else { return scalars }
    var composed: [Unicode.Scalar] = []
    // The index of the last letter, and the class of the last mark after it.
    var (letter, lastClass) = (Int?.none, UInt8(0))
    for scalar in ordered(scalars) {
      let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
      if let index = letter, index == composed.count - 1 || lastClass < combiningClass, scalar.isCombining,
        let both = letters[String(composed[index]) + String(scalar)]
      {
        composed[index] = both
        continue
      }
      composed.append(scalar)
      if combiningClass == 0 { letter = composed.count - 1 }
      lastClass = combiningClass
    }
    return composed
  }

  /// Returns `scalars` with the marks after each letter in canonical order.
  private static func ordered(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var ordered: [Unicode.Scalar] = []
    for scalar in scalars {
      let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
      var index = ordered.endIndex
      while combiningClass > 0, index > 0,
        ordered[index - 1].properties.canonicalCombiningClass.rawValue > combiningClass
      {
        index -= 1
      }
      ordered.insert(scalar, at: index)
    }
    return ordered
  }
}

extension Unicode.Scalar {
  /// True for a mark, and for the vowels and final consonants of Hangul.
  fileprivate var isCombining: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default: (0x1161...0x11C2).contains(value)
    }
  }
}

/// The encoding of Unicode in ASCII letters and digits (RFC 3492).
private enum Punycode {
  // The parameters of section 5.
  private static let (base, tMin, tMax, skew, damp, firstBias) = (36, 1, 26, 38, 700, 72)
  private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")

  /// Returns the encoding of `label`; nil if it has too many characters for a label.
  static func encoded(_ label: ArraySlice<Unicode.Scalar>) -> String? {
    // 63: each character takes at least one byte. Numbers then stay small.
    guard label.count <= 63 else { return nil }
    let basic = label.filter(\.isASCII)
    var code = basic.reduce(into: "") { $0.unicodeScalars.append($1) }
    if !basic.isEmpty { code += "-" }
    var (next, delta, bias, handled) = (0x80, 0, firstBias, basic.count)
    while handled < label.count {
      let lowest = label.lazy.map { Int($0.value) }.filter { $0 >= next }.min() ?? next
      delta += (lowest - next) * (handled + 1)
      next = lowest
      for scalar in label {
        if scalar.value < next { delta += 1 }
        guard scalar.value == next else { continue }
        var (rest, k) = (delta, base)
        while true {
          let threshold = min(max(k - bias, tMin), tMax)
          if rest < threshold { break }
          code.append(digits[threshold + (rest - threshold) % (base - threshold)])
          rest = (rest - threshold) / (base - threshold)
          k += base
        }
        code.append(digits[rest])
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic.count)
        (delta, handled) = (0, handled + 1)
      }
      delta += 1
      next += 1
    }
    return code
  }

  /// Returns the bias for the next number (section 6.1).
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var k = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + skew)
  }
}
