package import CellophaneCore

/// The server of a bucket, and the form of the URLs of its objects.
package struct S3Endpoint: Hashable, Sendable, CustomStringConvertible {
  package let region: String
  /// The URL of the bucket, without a slash at its end.
  let base: String

  /// Creates the endpoint of a bucket.
  ///
  /// - Parameters:
  ///   - url: The URL of a compatible server, whose objects have the URL `URL/BUCKET/KEY`; nil for AWS.
  /// - Throws: ``LoadError/Kind/invalidRequest`` for an unusable URL or region.
  package init(_ url: String?, bucket: String, region: String) throws(LoadError) {
    guard !region.isEmpty, region.utf8.allSatisfy(Self.isNameByte) else {
      throw LoadError(.invalidRequest, "the region '\(region)' is not valid; set AWS_REGION, as in us-east-1")
    }
    self.region = region
    guard let url else {
      base = Self.base(ofAWS: bucket, in: region)
      return
    }
    var server = url
    while server.hasSuffix("/") { server.removeLast() }
    let lowercased = server.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else {
      throw Self.invalid()
    }
    let host = server.dropFirst(scheme.count)
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !host.contains(where: { "/?#@\\".contains($0) })
    else { throw Self.invalid() }
    base = scheme + host + "/" + S3Encoding.encoded(bucket)
  }

  package var description: String { base }

  /// Returns the URL of a request.
  func url(of request: S3Request) -> String {
    var url = base + "/" + S3Encoding.encoded(request.key, keepsSlashes: true)
    if !request.query.isEmpty { url += "?" + S3Encoding.query(request.query) }
    return url
  }

  private static func base(ofAWS bucket: String, in region: String) -> String {
    let server = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    // The certificate of AWS covers one label before the server, so a name with a dot is in the path. So are names that
    // are no host names, which old buckets can have.
    let isHost = bucket.utf8.count <= 63 && bucket.utf8.allSatisfy(isNameByte)
    return isHost ? "https://\(bucket).\(server)" : "https://\(server)/\(S3Encoding.encoded(bucket))"
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
  }

  /// The error does not repeat the URL, which may contain a password.
  private static func invalid() -> LoadError {
    LoadError(
      .invalidRequest, "the S3 endpoint is not valid; write http://host:port or https://host, without a path")
  }
}
