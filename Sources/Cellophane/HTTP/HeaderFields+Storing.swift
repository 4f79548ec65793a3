extension HeaderFields {
  /// The fields that belong to a response wherever it is kept: without those about one connection (RFC 9110,
  /// section 7.6.1; RFC 9111, section 3.1), and without the length, range and coding of a body that is decoded.
  var ofResource: HeaderFields {
    var kept = self
    kept.removeAll { name in
      // Most names begin otherwise, and need not be hashed.
      switch name.utf8.first {
      case UInt8(ascii: "c"), UInt8(ascii: "k"), UInt8(ascii: "p"), UInt8(ascii: "t"), UInt8(ascii: "u"):
        Self.namesOfMessage.contains(name)
      default: false
      }
    }
    return kept
  }

  /// The fields that may be on disk: without those that an origin means for one user's use alone, which nothing here
  /// reads. Browsers leave them out, too.
  var withoutSecrets: HeaderFields {
    if !fields.contains(where: { Self.namesOfSecrets.contains($0.name) }) { return self }
    var kept = HeaderFields()
    for field in fields where !Self.namesOfSecrets.contains(field.name) {
      kept.append(field.name, field.value)
    }
    return kept
  }

  private static let namesOfSecrets: Set<String> = [
    "set-cookie", "set-cookie2", "authentication-info", "www-authenticate",
  ]

  /// These fields, where those of `newer` replace all of the same name.
  func updated(with newer: HeaderFields) -> HeaderFields {
    var result = self
    for name in Set(newer.fields.map(\.name)) { result[name] = nil }
    result.append(newer)
    return result
  }

  private static let namesOfMessage: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "content-encoding",
    "content-length", "content-range",
  ]
}
