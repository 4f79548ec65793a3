/// The members of a list-valued field, over all fields with its name (RFC 9110, section 5.6.1). Surrounding
/// blanks and empty members are removed.
///
/// A comma in a quoted string (section 5.6.4) does not separate members. After a quote that is never closed
/// every comma separates, so that an unclosed quote hides no member.
package struct FieldList: Sequence, IteratorProtocol {
  private let name: String
  private var fields: ArraySlice<HeaderFields.Field>
  private var rest: ArraySlice<UInt8> = []
  /// True after a quote that is never closed.
  private var isUnquoted = false

  /// Reads the list in the fields of `headers` called `name`, which is in lower case.
  package init(_ name: String, in headers: HeaderFields) {
    self.name = name
    fields = headers.fields[...]
  }

  /// Returns the next member.
  package mutating func next() -> ArraySlice<UInt8>? {
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

  /// Removes and returns the bytes before the next comma, and removes the comma.
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
  /// The slice without leading and trailing spaces and tabs (RFC 9110, section 5.6.3).
  package var trimmed: ArraySlice<UInt8> {
    let kept = span.trimmed(0..<count)
    return self[(startIndex + kept.lowerBound)..<(startIndex + kept.upperBound)]
  }
}

extension UInt8 {
  /// True for a space and a tab.
  package var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// The lower-case letter of an ASCII capital; any other byte unchanged. `String.lowercased()` handles all
  /// scripts and dominates the cost of reading short words.
  package var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}

extension String {
  /// Creates the lower-case form of `bytes`, which must be ASCII.
  package init(lowercasedASCII bytes: Span<UInt8>) {
    unsafe self.init(unsafeUninitializedCapacity: bytes.count) { text in
      for index in bytes.indices { unsafe text[index] = bytes[index].lowercased }
      return bytes.count
    }
  }
}

extension Int {
  /// Parses `1*DIGIT` of the HTTP grammars. A number that does not fit becomes `max`. Nil for anything else,
  /// including a sign. Inlinable, so that other modules call a specialized form.
  @inlinable package init?(digits: some Collection<UInt8>) {
    guard !digits.isEmpty else { return nil }
    self = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tens, productOverflows) = multipliedReportingOverflow(by: 10)
      let (number, sumOverflows) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      self = productOverflows || sumOverflows ? .max : number
    }
  }
}
