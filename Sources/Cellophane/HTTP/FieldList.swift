/// The members of a field that is a list, over all fields of its name (RFC 9110, section 5.6.1): without the blanks
/// around them, and without those that are empty. A comma in a quoted string (section 5.6.4) separates nothing; behind a
/// quote that nothing closes every comma separates, so that such a one hides no member.
struct FieldList: Sequence, IteratorProtocol {
  private let name: String
  private var fields: ArraySlice<HeaderFields.Field>
  private var rest: ArraySlice<UInt8> = []
  /// True behind a quote that nothing closes.
  private var isUnquoted = false

  /// The list that the fields called `name`, in lower case, are in `headers`.
  init(_ name: String, in headers: HeaderFields) {
    self.name = name
    fields = headers.fields[...]
  }

  /// The next member.
  mutating func next() -> ArraySlice<UInt8>? {
    while true {
      while !rest.isEmpty {
        let member = takeMember().trimmed
        if !member.isEmpty { return member }
      }
      guard let field = fields.popFirst() else { return nil }
      if field.name == name {
        rest = Array(field.value.utf8)[...]
        isUnquoted = false
      }
    }
  }

  /// Takes what stands before the next comma, and the comma.
  private mutating func takeMember() -> ArraySlice<UInt8> {
    let comma = UInt8(ascii: ",")
    var quote: Int?
    var isEscaped = false
    var end = rest.indices.first { index in
      let byte = rest[index]
      if isUnquoted || isEscaped {
        isEscaped = false
        return isUnquoted && byte == comma
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = quote != nil
      case UInt8(ascii: "\""): quote = quote == nil ? index : nil
      default: break
      }
      return byte == comma && quote == nil
    }
    if end == nil, let quote {
      isUnquoted = true
      end = rest[quote...].firstIndex(of: comma)
    }
    let member = rest[..<(end ?? rest.endIndex)]
    rest = rest[member.endIndex...].dropFirst()
    return member
  }
}

extension ArraySlice<UInt8> {
  /// Without the blanks around it: spaces and tabs (RFC 9110, section 5.6.3).
  var trimmed: ArraySlice<UInt8> {
    let kept = span.trimmed(0..<count)
    return self[(startIndex + kept.lowerBound)..<(startIndex + kept.upperBound)]
  }
}

extension UInt8 {
  /// True for a space and a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// The small letter of an ASCII capital; any other byte as it is. `String.lowercased()` knows all scripts, and takes
  /// longer than all else where short words are read.
  var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension String {
  /// `bytes`, which are ASCII, in lower case.
  init(lowercasedASCII bytes: Span<UInt8>) {
    unsafe self.init(unsafeUninitializedCapacity: bytes.count) { text in
      for index in bytes.indices { unsafe text[index] = bytes[index].lowercased }
      return bytes.count
    }
  }
}

extension Int {
  /// The number that `digits` are, the `1*DIGIT` of HTTP's grammars; `max` stands for all that are larger. Nil for
  /// anything else, a sign included.
  init?(digits: some Collection<UInt8>) {
    guard !digits.isEmpty else { return nil }
    self = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tens, isBeyond) = multipliedReportingOverflow(by: 10)
      let (number, isBeyondToo) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      self = isBeyond || isBeyondToo ? .max : number
    }
  }
}

extension HeaderFields {
  /// The content codings in the order in which they were applied, in lower case; `identity` is none.
  var contentCodings: [String] {
    // Fast path
    guard fields.contains(where: { $0.name == "content-encoding" }) else { return [] }
    return FieldList("content-encoding", in: self)
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
      .filter { $0 != "identity" }
  }
}
