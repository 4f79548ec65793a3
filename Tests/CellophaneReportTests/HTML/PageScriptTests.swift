internal import Foundation
internal import Testing

@testable internal import CellophaneReport
internal import TestSupport

@Suite struct PageScriptTests {
  @Test func `the policy of a page permits its script and no other`() {
    let hash = Data(SHA256.digest(of: Array(Page.script.text.utf8))).base64EncodedString()
    #expect(Page.scriptHash == "sha256-" + hash)
    let page = Page(title: "", body: "", data: nil).text
    #expect(page.contains("<script>" + Page.script.text + "</script>"))
    #expect(page.contains("; script-src '\(Page.scriptHash)'\">"))
  }

  @Test func `the script requests nothing and inserts no markup`() {
    let words = [
      "fetch(", "XMLHttpRequest", "import(", "import ", "eval", "Function", "innerHTML", "outerHTML",
      "insertAdjacent",
      "document.write", "location", "cookie", "localStorage", "src", "href", "http://", "https://",
      "</script", "<!--",
    ]
    for word in words { #expect(!Page.script.text.contains(word), "\(word)") }
  }

  /// FIPS 180-4 has these digests.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `digests equal the published ones`(text: String, digest: String) {
    #expect(SHA256.hex(of: Array(text.utf8)) == digest)
  }
}
