internal import Testing

@testable internal import CellophaneCurl

@Suite struct CertificateDefectTests {
  private static let openSSLMessage = "SSL certificate problem: some words"

  @Test(
    "OpenSSL's codes and libcurl's messages about names identify the defect",
    arguments: [
      (9, openSSLMessage, .notYetValid), (10, openSSLMessage, .expired), (18, openSSLMessage, .selfSigned),
      (2, openSSLMessage, .unknownAuthority), (19, openSSLMessage, .unknownAuthority),
      (20, openSSLMessage, .unknownAuthority), (21, openSSLMessage, .unknownAuthority),
      (62, openSSLMessage, .wrongName),
      (64, openSSLMessage, .wrongName), (0, openSSLMessage, nil), (1, openSSLMessage, nil),
      (23, openSSLMessage, nil),
      // Other TLS libraries use other codes, and a code may remain from a previous exchange.
      (10, "server certificate verification failed", nil), (10, "", nil),
      (1, "SSL: no alternative certificate subject name matches target host name 'h'", .wrongName),
      (10, "SSL: certificate subject name 'a' does not match target host name 'b'", .wrongName),
    ] as [(Int, String, CertificateDefect?)])
  func defects(result: Int, message: String, defect: CertificateDefect?) {
    #expect(CertificateDefect(verifyResult: result, message: message) == defect)
  }

  @Test func `only a file of trusted certificates that lacks the issuer can change the result`() {
    #expect(CertificateDefect.allCases.filter(\.isUntrusted) == [.selfSigned, .unknownAuthority])
  }

  @Test func `each defect has a different message`() {
    #expect(Set(CertificateDefect.allCases.map(\.predicate)).count == CertificateDefect.allCases.count)
  }
}
