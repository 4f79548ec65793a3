/// The defect of a certificate. Pure.
enum CertificateDefect: CaseIterable {
  case expired, notYetValid, selfSigned, unknownAuthority, wrongName

  /// Derives the defect from libcurl's results; nil if they name none of these defects.
  ///
  /// - Parameters:
  ///   - verifyResult: The code of the TLS library (`CURLINFO_SSL_VERIFYRESULT`).
  ///   - message: The error message of libcurl, which checks names itself and has no code for them.
  init?(verifyResult: Int, message: String) {
    if message.contains("subject name") {
      self = .wrongName
      return
    }
    // This prefix precedes OpenSSL's codes (x509_vfy.h); other libraries have different codes or none.
    guard message.hasPrefix("SSL certificate problem") else { return nil }
    switch verifyResult {
    case 9: self = .notYetValid
    case 10: self = .expired
    case 18: self = .selfSigned
    // The issuer is missing, the root at the end of the chain is not trusted, the issuer is not known
    // locally, or the chain has only the leaf.
    case 2, 19, 20, 21: self = .unknownAuthority
    case 62, 64: self = .wrongName
    default: return nil
    }
  }

  /// True if a file of trusted certificates can change the result.
  var isUntrusted: Bool { self == .selfSigned || self == .unknownAuthority }

  /// The predicate of an error message about an origin.
  var predicate: String {
    switch self {
    case .expired: "sent a certificate that has expired; only the owner of the server can renew it"
    case .notYetValid: "sent a certificate that is not valid yet; check the clock of this machine"
    case .selfSigned:
      "sent a self-signed certificate; to trust it, name a file that contains it"
    case .unknownAuthority:
      "sent a certificate from an untrusted authority; to trust it, name a file with the authority's certificate"
    case .wrongName: "sent a certificate for another host name"
    }
  }
}
