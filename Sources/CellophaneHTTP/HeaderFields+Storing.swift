extension HeaderFields {
  /// The fields to store with a response: without connection-specific fields (RFC 9110, section 7.6.1; RFC
  /// 9111, section 3.1), and without the length, range and content coding of the body, which is stored
  /// decoded.
  package var storable: HeaderFields {
    var kept = HeaderFields()
    kept.reserveCapacity(fields.count)
    let named = connectionOptions
    for field in fields where !Self.isMessageSpecific(field.name) && !named.contains(field.name) {
      kept.append(field)
    }
    return kept
  }

  /// The names in `Connection`, in lower case, of fields that are valid for one connection only. Without fields
  /// that limit the reuse of a response: an origin must not list these (RFC 9110, section 7.6.1).
  private var connectionOptions: [String] {
    // Most responses have no such field, or only one of the usual options.
    var names: [String] = []
    for field in fields where field.name == "connection" {
      let value = field.value.lowercased()
      if value == "keep-alive" || value == "close" { continue }
      let members = FieldList("connection", in: ["connection": value])
      names += members.map { String(decoding: $0, as: UTF8.self) }
    }
    return names.filter { !["age", "cache-control", "date", "expires", "vary"].contains($0) }
  }

  /// The fields that may be written to disk: without those intended for a single user, which this package
  /// never reads back. Browsers omit them as well.
  package var withoutSecrets: HeaderFields {
    if !fields.contains(where: { Self.isSecret($0.name) }) { return self }
    var kept = HeaderFields()
    for field in fields where !Self.isSecret(field.name) { kept.append(field) }
    return kept
  }

  private static func isSecret(_ name: String) -> Bool {
    // The first letter excludes most names cheaply; a set would hash each name.
    switch name.utf8.first {
    case UInt8(ascii: "a"): name == "authentication-info"
    case UInt8(ascii: "s"): name == "set-cookie" || name == "set-cookie2"
    case UInt8(ascii: "w"): name == "www-authenticate"
    default: false
    }
  }

  /// Returns these fields with all fields whose names occur in `newer` replaced by those of `newer`.
  package func updated(with newer: HeaderFields) -> HeaderFields {
    var result = self
    for name in Set(newer.fields.map(\.name)) { result[name] = nil }
    result.append(newer)
    return result
  }

  private static func isMessageSpecific(_ name: String) -> Bool {
    // The first letter excludes most names cheaply.
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
