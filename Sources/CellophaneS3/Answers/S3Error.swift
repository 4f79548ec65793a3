package import CellophaneCore

/// The failure of a request.
package struct S3Error: Error, Equatable, Sendable {
  /// The status of the response; nil without a complete response.
  package var status: Int?
  /// The code in the body, such as `AccessDenied`; empty without one.
  package var code = ""
  /// The region of the bucket, if the response names it.
  package var region: String?
  /// The reason that there is no response.
  package var reason = ""
  /// Whether the same request may succeed.
  package var isRetryable: Bool

  /// Creates the error for a response that is no success.
  package init(_ response: S3Response) {
    status = response.status
    let code = S3XML.text(of: "Code", in: response.body) ?? ""
    // A code consists of letters and digits. Other text could contain anything that the request had.
    let isCode =
      code.utf8.count <= 64 && code.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isIDContinue }
    self.code = isCode ? code : ""
    region = response.region ?? S3XML.text(of: "Region", in: response.body)
    if let region,
      region.utf8.count > 32 || !region.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0 > 0x2F && $0 < 0x7B })
    {
      self.region = nil
    }
    isRetryable =
      [408, 429, 500, 502, 503, 504].contains(response.status) || Self.retryableCodes.contains(code)
  }

  /// Creates the error for a request without a complete response.
  package init(_ reason: String, isRetryable: Bool) {
    (self.reason, self.isRetryable) = (reason, isRetryable)
  }

  /// The end of a request because its task was cancelled.
  package static let cancelled = S3Error("cancelled", isRetryable: false)

  /// The codes of temporary failures. Some come with a status that is otherwise permanent: 400 for `RequestTimeout`, 409
  /// for `OperationAborted`, and 200 for `InternalError` at the end of a multipart upload.
  private static let retryableCodes: Set<String> = [
    "ConditionalRequestConflict", "InternalError", "OperationAborted", "RequestTimeout", "ServiceUnavailable",
    "SlowDown",
  ]

  /// Whether the object or upload does not exist.
  package var isMissing: Bool { status == 404 && code != "NoSuchBucket" }
  /// Whether the condition of the request is not met.
  package var isConditionFailure: Bool { status == 412 }

  /// Returns the error for users.
  ///
  /// - Parameter operation: The verb and its object, as in `write s3://bucket/key`.
  package func loadError(_ operation: String) -> LoadError {
    if self == .cancelled { return .cancelled }
    let what = status.map { code.isEmpty ? "\($0)" : "\($0) \(code)" } ?? reason
    let remedy = remedy.map { "; " + $0 } ?? ""
    return LoadError(.io, "cannot \(operation): \(what)\(remedy)", isRetryable: isRetryable)
  }

  private var remedy: String? {
    if let region, status == 301 || code == "AuthorizationHeaderMalformed" || code == "PermanentRedirect" {
      return "the bucket is in another region, set AWS_REGION=\(region)"
    }
    return switch code {
    case "NoSuchBucket": "create the bucket, or name another one"
    case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidClientTokenId":
      "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    case "ExpiredToken", "InvalidToken", "TokenRefreshRequired": "get new credentials with a session token"
    case "RequestTimeTooSkewed": "set the clock of this machine"
    case "NotImplemented": "use a server that supports conditional requests and multipart uploads"
    default:
      switch status {
      case 301, 307: "set AWS_REGION to the region of the bucket"
      case 401, 403: "check the credentials, and the permissions of the bucket"
      case 404: "check the bucket and the endpoint"
      case nil where reason.contains("certificate"): "trust its certificate with --cacert FILE"
      case nil where isRetryable: "check the endpoint and the network"
      default: nil
      }
    }
  }
}
