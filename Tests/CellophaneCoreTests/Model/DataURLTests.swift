@testable internal import CellophaneCore
internal import CellophaneHTTP
internal import TestSupport
internal import Testing

@Suite("data: URLs and sources")
struct DataURLTests {
  private func text(_ url: String) throws -> String {
    let (type, bytes) = try DataURL.parse(url)
    return "\(type)|\(String(decoding: bytes, as: UTF8.self))"
  }

  /// The results are those of browsers (WHATWG Fetch, "data: URL processor").
  @Test(
    "texts, percent-encodings, base64 and media types",
    arguments: [
      ("data:,", "text/plain;charset=US-ASCII|"),
      ("data:,A%20brief%20note", "text/plain;charset=US-ASCII|A brief note"),
      ("data:text/plain;base64,SGVsbG8=", "text/plain|Hello"),
      ("DATA:;base64,SGVsbG8", "text/plain;charset=US-ASCII|Hello"),
      ("data:image/png;base64, SGVs\n bG8% 3D".replacing("% 3D", with: "%3D"), "image/png|Hello"),
      ("data:text/html;charset=utf-8 ; BASE64 ,SGVsbG8=", "text/html;charset=utf-8 |Hello"),
      ("data:image/svg+xml,<svg>#a", "image/svg+xml|<svg>"), ("data:base64,SGVsbG8=", "base64|SGVsbG8="),
      ("data:a,b,c", "a|b,c"), ("data:,100%", "text/plain;charset=US-ASCII|100%"),
      ("data:;base64,Pz8_Pj4-", "text/plain;charset=US-ASCII|???>>>"),
      ("data:;base64,SGVsbG8%3d", "text/plain;charset=US-ASCII|Hello"),
    ])
  func valid(url: String, expected: String) throws {
    #expect(try text(url) == expected)
  }

  @Test(
    "damaged URLs are errors",
    arguments: [
      "data:", "data:image/png;base64", "data:;base64,A", "data:;base64,AB=C", "data:;base64,A===",
      "data:;base64,AA*A", "data:;base64,AAAA=",
    ])
  func invalid(url: String) {
    let error = #expect(throws: LoadError.self) { _ = try Request(url, options: NoOptions()) }
    #expect(error?.kind == .invalidRequest && error?.message.contains("data: URL") == true)
  }

  @Test("a long URL is an error before it is decoded")
  func long() {
    let url = "data:," + String(repeating: "a", count: 17 << 20)
    #expect(throws: LoadError.self) { _ = try Request(url, options: NoOptions()) }
  }

  @Test("random URLs never trap", arguments: 0..<200)
  func random(seed: Int) {
    var random = SplitMix64(seed: seed)
    let pieces = ["data:", ";", "base64", ",", "%", "%4", "%41", "=", " ", "A", "ü", "#", "\n", "image/png"]
    for _ in 0..<50 {
      let url =
        "data:" + (0..<8).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      _ = try? Request(url, options: NoOptions())
    }
  }

  @Test("the bytes and the type identify a URL, in a short key")
  func keys() throws {
    let urls = ["data:image/png,a", "data:image/png;base64,YQ==", "data:image/png,b", "data:image/jpeg,a"]
    let keys = try urls.map { try Request($0, options: NoOptions()).key }
    #expect(keys[0] == keys[1] && Set(keys).count == 3)
    let long = try Request("data:," + String(repeating: "a", count: 1_000_000), options: NoOptions())
    #expect(long.key.response.url.utf8.count < 200)
  }

  @Test("a source has a scheme of its own")
  func schemes() throws {
    struct Empty: ResourceSource { func bytes(of url: String) -> [UInt8] { [] } }
    #expect(try Request("asset:a", from: Empty(), options: NoOptions()).key.response.url == "asset:a")
    for url in ["http://h/a", "FILE:///a", "data:,a", "memory:a", "asset", ":a", "1a:b", "ä:b", "a b:c", ""] {
      #expect(throws: LoadError.self) { _ = try Request(url, from: Empty(), options: NoOptions()) }
    }
  }
}
