@testable internal import CellophaneCore
internal import TestSupport
internal import Testing

@Suite("Requests and keys")
struct RequestTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `the fast path for plain URLs agrees with the general parser`(seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    let hosts = Array("ab19.-.-xn:0aé%A_[]@".unicodeScalars)
    let ports = [
      "", "", ":", ":0", ":1", ":80", ":080", ":443", ":8080", ":65535", ":65536", ":99999999999999999999",
    ]
    let paths = Array("aZ09-._~!$&'()*+,;=:@/?/%2f #[]é\"<>\\^`{|}".unicodeScalars)
    var plain = 0
    for _ in 0..<5_000 {
      func text(_ scalars: [Unicode.Scalar], _ most: Int) -> String {
        let count = Int.random(in: 0...most, using: &numbers)
        let all = numbers.next() % 2 == 0 ? scalars : Array(scalars.prefix(scalars.count / 2))
        return String(
          String.UnicodeScalarView((0..<count).map { _ in all[Int.random(in: all.indices, using: &numbers)] })
        )
      }
      let scheme = ["http://", "https://", "HTTP://", "http:/", "file://", ""]
      let url =
        scheme[Int.random(in: 0..<6, using: &numbers) % Int.random(in: 1...6, using: &numbers)]
        + text(hosts, 6) + ports[Int.random(in: ports.indices, using: &numbers)]
        + (numbers.next() % 4 == 0 ? "" : "/") + text(paths, 8)
      guard let origin = CanonicalURL.originOfPlain(url) else { continue }
      plain += 1
      let parsed = try CanonicalURL.parseAny(url)
      #expect(parsed.url == url && parsed.origin == origin, "\(url)")
    }
    #expect(plain > 100)
  }

  static let spellings: [(String, String)] = [
    ("http://h", "http://h/"),
    ("HTTP://Host.Example/Path", "http://host.example/Path"),
    ("http://h:80/a", "http://h/a"),
    ("https://h:443/a", "https://h/a"),
    ("http://h:8080/a?b=c", "http://h:8080/a?b=c"),
    ("http://h/a#part", "http://h/a"),
    ("http://h/a?q#part?x", "http://h/a?q"),
    ("http://h?q", "http://h/?q"),
    ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ("http://h/%41%2f", "http://h/%41%2f"),
    ("http://h%65.b/a", "http://h%65.b/a"), ("http://h%65.b%C3%BCcher_/a", "http://he.xn--bcher_-3ya/a"),
    ("http://h/a b\u{0}ü", "http://h/a%20b%00%C3%BC"),
    ("file:///a/b.png", "file:///a/b.png"),
    // Valid percent encoding stays, also next to characters to be encoded.
    ("http://h/x?a[]=1&sig=%2Fabc", "http://h/x?a%5B%5D=1&sig=%2Fabc"),
    (
      "http://h/%41 é%2f[1]?\"%7C|{^`<>}\\#a[b",
      "http://h/%41%20%C3%A9%2f%5B1%5D?%22%7C%7C%7B%5E%60%3C%3E%7D%5C"
    ),
    ("http://h/100%/%zz%2?%", "http://h/100%25/%25zz%252?%25"), ("http://h/\u{1F}%25", "http://h/%1F%25"),
    ("http://bücher.example/%2Fé", "http://xn--bcher-kva.example/%2F%C3%A9"),
    ("http://[::1]/a[0]", "http://[::1]/a%5B0%5D"), ("file:///a%20b c", "file:///a%20b%20c"),
    ("http://h/-._~!$&'()*+,;=:@/?/?:@", "http://h/-._~!$&'()*+,;=:@/?/?:@"),
  ]

  @Test("each URL has one canonical form", arguments: spellings)
  func canonical(text: String, expected: String) throws {
    #expect(try NumberRequest(text, options: 1).url == expected)
  }

  @Test(
    "only absolute URLs of a known scheme are accepted",
    arguments: [
      "", "a", "/a", "//h/a", "ftp://h/a", "http:///a", "http://", "http://u:p@h/", "http://h:0/",
      "http://h:99999/", "http://a%20b/", "http://a%00/", "http://a%2fb/", "http://a%25b/",
      "javascript:alert(1)", "file://host/a", "blob:x",
    ])
  func refused(text: String) {
    #expect { try NumberRequest(text, options: 1) } throws: { ($0 as? LoadError)?.kind == .invalidRequest }
  }

  @Test("a URL beyond the maximum length is refused with a short error")
  func longest() {
    let path = String(repeating: "x", count: CanonicalURL.longest)
    #expect { try NumberRequest("http://h/" + path, options: 1) } throws: { "\($0)".count < 200 }
    #expect(throws: LoadError.self) { try NumberRequest(String(path.dropLast(10)), options: 1) }
  }

  @Test(
    "an error does not contain the user or password of a URL",
    arguments: [
      "http://user:geheim@h/", "http://user:geheim%40h:80/", "http://user:geheim%2540h/",
      "http://user:geheim h/",
      "http://user:ge/heim%40h/", "http://user%3Ageheim%40h/", "http://user:geheim\u{FF20}h/",
      "http:user:geheim@h",
      "http://user%3Ageheim/", "http://user:geheim", "user:geheim%40h/", "//user:geheim%40h/",
      "ftp://user:geheim%40h/",
      "http:\\\\user:geheim%40h/", "http://%75ser%3ageheim%40h:99999/",
      "http://user\u{FF20}geheim\u{FF20}h:99999/",
      "http://geheim%EF%BC%A0h/", "http://geheim%40h/", "http://[user:geheim%40h/",
      "http://%5Buser%3Ageheim%40h/", "http://%5Bgeheim%40h%5D/", "http://[::1%25geheim%40h]/",
    ])
  func secretStaysSecret(url: String) {
    #expect { try NumberRequest(url, options: 1) } throws: {
      ($0 as? LoadError)?.kind == .invalidRequest && !"\($0)".contains("heim") && !"\($0)".contains("user:")
    }
    let shown = CanonicalURL.withoutUser(url)
    #expect(!shown.contains("heim") || url.contains("%3A") || url.contains("%EF"), "\(shown)")
  }

  @Test(
    "an error shows only the valid parts of a host",
    arguments: [
      ("http://h:99999/a", "http://h:99999/a"), ("a/b", "a/b"), ("ftp://h:21/a:b", "ftp://h:21/a:b"),
      ("http://h:8o/a", "http://…/a"), ("http://u:p@h/", "http://…@h/"), ("u:p@h/", "…@h/"),
      ("http://h/a@2x%40.png", "http://…%40.png"),
    ])
  func shownHosts(url: String, shown: String) { #expect(CanonicalURL.withoutUser(url) == shown) }

  @Test(
    "fields with credentials are not part of the key's header fields",
    arguments: [
      "Authorization", "cookie", "Proxy-Authorization", "X-Api-Key", "PRIVATE-TOKEN", "x-goog-api-key",
      "apikey",
      "X-Shopify-Access-Token", "CF-Access-Client-Secret", "X-RapidAPI-Key", "X-CSRF-Token", "X-Session-Id",
      "X-Db-Password", "X-Hub-Signature-256", "X-Authenticated-User", "X-Amz-Credential", "token", "Proxy-X",
    ])
  func keys(name: String) throws {
    let request = try Request("http://a/", headers: [name: "secret"], options: 0)
    #expect(request.key.response.headers.isEmpty)
    #expect(request.key.response.scope == .secret([name: "secret"]))
  }

  @Test(
    "other fields are part of the key",
    arguments: [
      "Accept", "Accept-Language", "X-Request-Id", "X-Tenant", "Keeper", "Traceparent", "Prefer", "x-tok-en",
    ])
  func otherFields(name: String) throws {
    let request = try Request("http://a/", headers: [name: "1"], options: 0)
    #expect(request.key.response.headers == [name: "1"] && request.key.response.scope == .anonymous)
  }

  @Test(
    "the Referer field loses user, password and fragment",
    arguments: [
      ("http://u:p@h/a", "http://h/a"), ("https://a@b@h:1/x?y#z", "https://h:1/x?y"),
      ("https://h/@u", "https://h/@u"), ("https://h?a@b", "https://h?a@b"), ("/@u", "/@u"),
      ("u:p@h", "u:p@h"), ("//u:p@h/x", "//h/x"),
      ("http://u:p@", "http://"), ("", ""),
    ])
  func referer(text: String, sent: String) throws {
    let key = try Request<Int>("http://h/", headers: ["Referer": text], options: 0).key.response
    #expect(key.headers.values(of: "referer") == [sent])
  }

  @Test("headers and authorization separate responses; order, case and fragments do not")
  func identity() throws {
    func key(_ headers: HeaderFields = [:], account: String? = nil, url: String = "http://h/") throws
      -> ResponseKey
    {
      try NumberRequest(url, headers: headers, account: account, options: 1).key.response
    }
    let plain = try key()
    #expect(try key(url: "HTTP://H:80/#x") == plain)
    #expect(try key(["Accept": "image/png"]) != plain)
    #expect(try key(["Accept": "image/png"]) != key(["Accept": "image/jpeg"]))
    #expect(try key(["A": "1", "b": "2"]) == key(["B": "2", "a": "1"]))
    #expect(try key(["A": "1", "a": "2"]) != key(["A": "2", "a": "1"]))
    #expect(try key(["Authorization": "Bearer 1"]) != plain)
    #expect(try key(["Authorization": "Bearer 1"]) != key(["Authorization": "Bearer 2"]))
    #expect(try key(["Cookie": "a=1"]) != plain)
    #expect(
      try key(["Authorization": "Bearer 1"], account: "ann")
        == key(["Authorization": "Bearer 2"], account: "ann"))
    #expect(
      try key(["Authorization": "Bearer 1"], account: "ann")
        != key(["Authorization": "Bearer 1"], account: "ben"))
    #expect(try key(["Authorization": "Bearer 1"]).headers.isEmpty)
  }

  @Test("options separate values, not responses")
  func options() {
    let one = NumberRequest(1, times: 1)
    let two = NumberRequest(1, times: 2)
    #expect(one.key != two.key && one.key.response == two.key.response)
    #expect(one.key == NumberRequest(1, times: 1, priority: .visible, policy: .reload).key)
    #expect(one.decoded(with: 2).key == two.key)
  }

  @Test(
    "header fields with control characters are refused", arguments: ["a\r\nb: c", "a\u{0}", "\u{7F}"])
  func injection(value: String) {
    #expect { try NumberRequest("http://h/", headers: ["X": value], options: 1) } throws: {
      ($0 as? LoadError)?.kind == .invalidRequest
    }
    // Without its colon, a header line becomes a name that contains the secret.
    #expect { try NumberRequest("http://h/", headers: ["X geheim \(value)": "1"], options: 1) } throws: {
      ($0 as? LoadError)?.kind == .invalidRequest && !"\($0)".contains("geheim")
    }
  }
}
