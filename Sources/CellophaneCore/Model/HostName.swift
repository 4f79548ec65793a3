internal import CIDN2

/// Host names in other scripts than ASCII, in the form that name servers know (RFC 5891, UTS 46).
///
/// `FoundationEssentials` has no such conversion, and libcurl's depends on the locale of the process.
package enum HostName {
  /// Returns the ASCII form of `name`, in lower case; nil if the name has a character that no host name has.
  ///
  /// The mapping is nontransitional, as in browsers: `faß.de` and `fass.de` are different hosts.
  package static func ascii(_ name: String) -> String? {
    guard !name.utf8.contains(0) else { return nil }  // the end of a string of C
    var result: UnsafeMutablePointer<UInt8>?
    defer { unsafe idn2_free(result) }
    let flags = CInt(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
    guard unsafe idn2_lookup_u8(name, &result, flags) == IDN2_OK.rawValue, let result = unsafe result else {
      return nil
    }
    let ascii = unsafe String(cString: result)
    // The mapping of some characters, such as a full-width solidus, would end the host of a URL.
    return ascii.utf8.allSatisfy(\.isOfHostName) ? ascii.lowercased() : nil
  }
}

extension UInt8 {
  /// True for letters, digits, `-`, `.`, and `_`, which some hosts have in spite of RFC 952.
  fileprivate var isOfHostName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
