internal import Testing

@testable internal import Cellophane

@Suite struct CertificateDefectTests {
  private static let ofOpenSSL = "SSL certificate problem: some words"

  @Test(
    "The codes of OpenSSL, and libcurl's words about names",
    arguments: [
      (9, ofOpenSSL, .notYetValid), (10, ofOpenSSL, .expired), (18, ofOpenSSL, .selfSigned),
      (2, ofOpenSSL, .unknownAuthority), (19, ofOpenSSL, .unknownAuthority),
      (20, ofOpenSSL, .unknownAuthority), (21, ofOpenSSL, .unknownAuthority), (62, ofOpenSSL, .wrongName),
      (64, ofOpenSSL, .wrongName), (0, ofOpenSSL, nil), (1, ofOpenSSL, nil), (23, ofOpenSSL, nil),
      // Another library's codes mean something else, and one may be left of an exchange before.
      (10, "server certificate verification failed", nil), (10, "", nil),
      (1, "SSL: no alternative certificate subject name matches target host name 'h'", .wrongName),
      (10, "SSL: certificate subject name 'a' does not match target host name 'b'", .wrongName),
    ] as [(Int, String, CertificateDefect?)])
  func defects(result: Int, message: String, defect: CertificateDefect?) {
    #expect(CertificateDefect(verifyResult: result, message: message) == defect)
  }

  @Test func eachHasASentenceOfItsOwn() {
    #expect(Set(CertificateDefect.allCases.map(\.predicate)).count == CertificateDefect.allCases.count)
  }
}
