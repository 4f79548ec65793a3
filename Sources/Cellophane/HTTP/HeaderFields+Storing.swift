extension HeaderFields {
  /// The fields that belong to a response wherever it is kept: without those about one connection (RFC 9110,
  /// section 7.6.1; RFC 9111, section 3.1), and without the length, range and coding of a body that is decoded.
  var ofResource: HeaderFields {
    var kept = HeaderFields()
    kept.reserveCapacity(fields.count)
    for field in fields where !Self.isOfMessage(field.name) { kept.append(field) }
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

  private static func isOfMessage(_ name: String) -> Bool {
    // Most names begin otherwise.
    switch name.utf8.first {
    case UInt8(ascii: "c"):
      ["connection", "content-encoding", "content-length", "content-range"].contains(name)
    case UInt8(ascii: "k"): name == "keep-alive"
    case UInt8(ascii: "p"):
      [
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "proxy-connection",
      ].contains(name)
    case UInt8(ascii: "t"): ["te", "trailer", "transfer-encoding"].contains(name)
    case UInt8(ascii: "u"): name == "upgrade"
    default: false
    }
  }
}
