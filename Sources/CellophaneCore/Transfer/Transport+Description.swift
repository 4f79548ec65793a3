// One line, without the body and the values of credentials.

extension TransportRequest: CustomStringConvertible {
  /// The URL and the header fields, without the values of credentials.
  public var description: String { "TransportRequest(\(url), [\(headers)])" }
}

extension TransportResponse: CustomStringConvertible, CustomReflectable {
  /// The status, the size of the body and the URL.
  public var description: String { "TransportResponse(\(status), \(body.count) bytes, \(url))" }
  /// The status, the header fields and the URL, without the body.
  public var customMirror: Mirror {
    Mirror(self, children: ["status": status, "headers": headers, "bytes": body.count, "url": url])
  }
}
