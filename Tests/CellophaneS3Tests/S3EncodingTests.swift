internal import Testing

@testable internal import CellophaneS3

@Suite("The encoding of keys and queries")
struct S3EncodingTests {
  @Test(
    arguments: [
      ("a/b c.jpg", "a/b%20c.jpg"), ("1+1=2", "1%2B1%3D2"), ("gr\u{FC}n", "gr%C3%BCn"), ("~-._", "~-._"),
      ("a%20b", "a%2520b"), ("*'()!", "%2A%27%28%29%21"),
    ])
  func `a key keeps slashes and unreserved characters only`(key: String, encoded: String) {
    #expect(S3Encoding.encoded(key, keepsSlashes: true) == encoded)
  }

  @Test func `a query is sorted by its encoded names, and each item has an equals sign`() {
    let query = [(name: "uploads", value: ""), ("prefix", "a/b"), ("list-type", "2"), ("A", "+")]
    #expect(S3Encoding.query(query) == "A=%2B&list-type=2&prefix=a%2Fb&uploads=")
  }
}
