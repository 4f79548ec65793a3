extension HeaderFields {
  /// The fields that belong to a response wherever it is kept: without those about one connection (RFC 9110,
  /// section 7.6.1; RFC 9111, section 3.1), and without the length, range and coding of a body that is decoded.
  var ofResource: HeaderFields {
    var kept = HeaderFields()
    for field in fields where !Self.namesOfMessage.contains(field.name) {
      kept.append(field.name, field.value)
    }
    return kept
  }

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
