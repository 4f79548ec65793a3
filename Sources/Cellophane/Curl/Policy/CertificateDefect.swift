/// What is wrong with a certificate that was shown. Pure.
enum CertificateDefect: CaseIterable {
  case expired, notYetValid, selfSigned, unknownAuthority, wrongName

  /// What libcurl tells of a certificate that did not pass; nil when that is nothing special.
  ///
  /// - Parameters:
  ///   - verifyResult: The code of the TLS library (`CURLINFO_SSL_VERIFYRESULT`).
  ///   - complaint: What went wrong in words of libcurl, which checks names itself and has no code for them.
  init?(verifyResult: Int, complaint: String) {
    if complaint.contains("subject name") {
      self = .wrongName
      return
    }
    // These words precede OpenSSL's codes (x509_vfy.h); other libraries have codes of their own, or none.
    guard complaint.hasPrefix("SSL certificate problem") else { return nil }
    switch verifyResult {
    case 9: self = .notYetValid
    case 10: self = .expired
    case 18: self = .selfSigned
    // No issuer, a root that nobody trusts at the end of the chain, no issuer here, and nothing but the leaf.
    case 2, 19, 20, 21: self = .unknownAuthority
    case 62, 64: self = .wrongName
    default: return nil
    }
  }

  /// To be read behind an origin.
  var sentence: String {
    switch self {
    case .expired: "shows a certificate that has expired; only its owner can renew it"
    case .notYetValid: "shows a certificate that is not valid yet; is the clock of this machine right?"
    case .selfSigned:
      "shows a certificate that it has signed itself; to trust it, name a file with it (caFile, --cacert FILE)"
    case .unknownAuthority:
      """
      shows a certificate of an authority that is not trusted here; for a private one, name a file with the authority's \
      certificate (caFile, --cacert FILE)
      """
    case .wrongName: "shows a certificate for another name"
    }
  }
}
