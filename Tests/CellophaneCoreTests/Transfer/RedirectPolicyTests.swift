internal import Testing

@testable internal import CellophaneCore

@Suite struct RedirectPolicyTests {
  private static let credentials: HeaderFields = [
    "authorization": "Bearer secret", "cookie": "id=1", "proxy-authorization": "Basic x",
    "proxy-anything": "y", "cf-access-client-secret": "z", "host": "internal.example",
    "origin": "https://site.example", "accept": "image/*",
  ]

  /// Arguments: from, to, and whether the credentials are kept.
  @Test(arguments: [
    ("http://a.example/1", "http://a.example/2", true),
    ("http://a.example/1", "http://A.EXAMPLE:80/2", true),
    ("https://a.example/1", "https://a.example:443/2?q", true),
    ("http://a.example/1", "http://b.example/2", false),
    ("http://a.example/1", "http://a.example:8080/2", false),
    ("http://a.example/1", "https://a.example/2", false),
    ("https://a.example/1", "https://sub.a.example/2", false),
    ("https://a.example/1", "https://a.example.evil.example/2", false),
  ])
  func `credentials are sent only to their origin`(from: String, to: String, keepsCredentials: Bool) throws {
    let hop = RedirectPolicy.Hop(url: from, headers: Self.credentials)
    let next = try RedirectPolicy(limit: 1).hop(after: hop, to: to)
    #expect(next.headers == (keepsCredentials ? Self.credentials : ["accept": "image/*"]))
    #expect(next.redirects == 1)
  }

  /// Arguments: from, to, the Referer, and the Referer of the next hop.
  @Test(arguments: [
    ("https://a.example/1", "https://a.example/2", "https://s.example/p?q", "https://s.example/p?q"),
    ("https://a.example/1", "https://b.example/2", "https://s.example/p?q", "https://s.example/"),
    ("http://a.example/1", "http://b.example/2", "http://s.example:8080/p?q", "http://s.example:8080/"),
    ("http://a.example/1", "https://b.example/2", "http://s.example/p", "http://s.example/"),
    ("http://a.example/1", "http://b.example/2", "https://s.example/p?q", nil),
    ("http://a.example/1", "http://b.example/2", "https://s.example:80/p", nil),
    ("http://a.example/1", "http://b.example/2", "the page", nil),
    ("http://a.example/1", "http://b.example/2", "file:///home/ann/p", nil),
  ])
  func `the Referer is reduced to its origin or removed for another origin`(
    from: String, to: String, referer: String, expected: String?
  ) throws {
    let hop = RedirectPolicy.Hop(url: from, headers: ["referer": referer])
    #expect(try RedirectPolicy(limit: 1).hop(after: hop, to: to).headers["referer"] == expected)
  }

  @Test func `credentials do not return after a hop to another origin`() throws {
    let policy = RedirectPolicy(limit: 5)
    var hop = RedirectPolicy.Hop(url: "https://a.example/", headers: Self.credentials)
    hop = try policy.hop(after: hop, to: "https://b.example/")
    hop = try policy.hop(after: hop, to: "https://a.example/")
    #expect(hop.headers == ["accept": "image/*"])
  }

  @Test(arguments: [
    ("https://a.example/", "http://a.example/", LoadError.Kind.refused),
    ("http://a.example/", "file:///etc/passwd", .refused),
    ("http://a.example/", "ftp://a.example/", .refused),
    ("http://a.example/", "gopher://a.example:6379/_x", .refused),
    ("http://a.example/", "javascript:alert(1)", .refused),
    ("http://a.example/", "http://user:word@b.example/", .malformedResponse),
    ("http://a.example/", "http:///nowhere", .malformedResponse),
    ("http://a.example/", "http://a.example:99999/", .malformedResponse),
  ])
  func `downgrades, other schemes and invalid URLs are refused`(
    from: String, to: String, kind: LoadError.Kind
  ) {
    let hop = RedirectPolicy.Hop(url: from, headers: [:])
    let error = #expect(throws: LoadError.self) { try RedirectPolicy(limit: 20).hop(after: hop, to: to) }
    #expect(error?.kind == kind)
    #expect(error?.isRetryable == false)
  }

  @Test func `a downgrade later in the chain is refused`() throws {
    let policy = RedirectPolicy(limit: 20)
    let first = RedirectPolicy.Hop(url: "http://a.example/", headers: [:])
    let second = try policy.hop(after: first, to: "https://b.example/")
    let error = #expect(throws: LoadError.self) { try policy.hop(after: second, to: "http://a.example/") }
    #expect(error?.kind == .refused)
  }

  @Test func `an allowed downgrade removes the credentials`() throws {
    let hop = RedirectPolicy.Hop(url: "https://a.example/", headers: Self.credentials)
    let next = try RedirectPolicy(limit: 1, allowsDowngrade: true).hop(after: hop, to: "http://a.example/")
    #expect(
      next == RedirectPolicy.Hop(url: "http://a.example/", headers: ["accept": "image/*"], redirects: 1))
  }

  @Test func `any Location leads to http or https without a user, or is refused`() {
    let parts = [
      "http://", "https://", "//", "/", "\\", "?", "#", "@", ":", "user:word@", "127.0.0.1", "[::1]",
      "a.example", ":80",
      ":99999", "%00", "%40", "\u{0}", "\r\n", " ", "é", "file:", "..", "javascript:", "\t",
    ]
    for seed in 0..<3_000 {
      var random = SplitMix64(seed: seed)
      let target = (0..<Int.random(in: 0..<7, using: &random))
        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      let hop = RedirectPolicy.Hop(url: "http://b.example/", headers: Self.credentials)
      guard let next = try? RedirectPolicy(limit: 1).hop(after: hop, to: target) else { continue }
      let authority = next.url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
      #expect(next.url.hasPrefix("http://") || next.url.hasPrefix("https://"), "seed \(seed): \(target)")
      #expect(!authority.contains("@") && !authority.isEmpty, "seed \(seed): \(target)")
      #expect(!next.url.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "seed \(seed): \(target)")
      #expect(next.headers["authorization"] == nil, "seed \(seed): \(target)")
    }
  }

  @Test(arguments: [0, 1, 20])
  func `redirects beyond the limit are refused`(limit: Int) throws {
    let policy = RedirectPolicy(limit: limit)
    var hop = RedirectPolicy.Hop(url: "http://a.example/0", headers: [:])
    for index in 0..<limit { hop = try policy.hop(after: hop, to: "http://a.example/\(index)") }
    let last = hop
    let error = #expect(throws: LoadError.self) { try policy.hop(after: last, to: "http://a.example/x") }
    #expect(error?.kind == .redirects)
  }

  @Test func `fragments are removed`() throws {
    let hop = RedirectPolicy.Hop(url: "http://a.example/0", headers: [:])
    #expect(
      try RedirectPolicy(limit: 1).hop(after: hop, to: "http://a.example/1#top").url == "http://a.example/1")
  }
}
