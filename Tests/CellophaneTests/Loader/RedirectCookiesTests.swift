@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Cookies of redirects, in virtual time")
struct RedirectCookiesTests {
  /// Returns a redirect to `target` that sets `cookies`.
  private static func setting(_ cookies: String..., to target: String) -> ScriptedTransport.Answer {
    var headers = HeaderFields()
    for cookie in cookies { headers.append("Set-Cookie", cookie) }
    return .redirect(to: target, headers)
  }

  /// The `Set-Cookie` fields of http://a.b/x/y, the target, and the cookies that it receives.
  @Test(
    "a cookie is sent to the origin and the path that set it",
    arguments: [
      (["s=1"], "http://a.b/x/z", "s=1"), (["s=1; Path=/"], "http://a.b/", "s=1"),
      (["s=1"], "http://a.b/", nil),
      (["s=1"], "http://a.b/x/y", "s=1"), (["s=1"], "http://a.b/x", "s=1"), (["s=1"], "http://a.b/xy", nil),
      (["s=1; path=/z"], "http://a.b/z?q=/y", "s=1"), (["s=1; path=/z/"], "http://a.b/z", nil),
      (["s=1; Path=z"], "http://a.b/x/z", "s=1"), (["s=1; path=/z; path=/x"], "http://a.b/x/z", "s=1"),
      (["s=1; Path=/"], "http://b/", nil), (["s=1; Path=/"], "http://a.b:81/", nil),
      (["s=1; Path=/"], "https://a.b/", nil),
      (["s=1; Path=/; Domain=b"], "http://b/", nil), (["s=1; Path=/; Domain=b"], "http://a.b/", "s=1"),
      (["s=1; Path=/; Domain=.A.b"], "http://a.b/", "s=1"), (["s=1; Path=/; Domain=c"], "http://a.b/", nil),
      (["s=1; Path=/; Domain=c.a.b"], "http://a.b/", nil), (["s=1; Path=/; Secure"], "http://a.b/", nil),
      (["s=1", "t=2"], "http://a.b/x/z", "s=1; t=2"), (["s=1", "s=2"], "http://a.b/x/z", "s=2"),
      (["t=2; Path=/", "s=1"], "http://a.b/x/z", "s=1; t=2"),
      (["s=1", "s=; Max-Age=0"], "http://a.b/x/z", nil),
      (["s=1", "s=2; max-age=-1"], "http://a.b/x/z", nil), (["s=1; Max-Age=5"], "http://a.b/x/z", "s=1"),
      (["s=1", "s=0; Expires=Thu, 01-Jan-1970 00:00:01 GMT"], "http://a.b/x/z", nil),
      (["s=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=9"], "http://a.b/x/z", "s=1"),
      (["s=1; Expires=never"], "http://a.b/x/z", "s=1"),
      ([" s = a=b, c \t; HttpOnly"], "http://a.b/x/z", "s=a=b, c"),
      (["s", "=1", "", ";", "s=" + String(repeating: "x", count: 5_000)], "http://a.b/x/z", nil),
      (["s="], "http://a.b/x/z", "s="),
    ] as [([String], String, String?)])
  func cookies(set fields: [String], target: String, expected: String?) throws {
    var headers = HeaderFields()
    for field in fields { headers.append("Set-Cookie", field) }
    var cookies = RedirectCookies()
    let (url, origin) = try CanonicalURL.parse("http://a.b/x/y?q=/1/2")
    cookies.take(headers, from: url, at: origin, now: 1_000)
    let (next, nextOrigin) = try CanonicalURL.parse(target)
    #expect(cookies.field(for: next, at: nextOrigin) == expected)
  }

  @Test("the number of cookies is limited")
  func many() throws {
    var headers = HeaderFields()
    for number in 0..<100 { headers.append("Set-Cookie", "c\(number)=1") }
    var cookies = RedirectCookies()
    let (url, origin) = try CanonicalURL.parse("http://a/")
    cookies.take(headers, from: url, at: origin, now: 0)
    #expect(cookies.field(for: url, at: origin)?.split(separator: ";").count == 50)
  }

  @Test("a redirect to the same URL is followed with its cookie, and the response stays off disk")
  func sameURL() {
    let world = RedirectWorld()
    world.origin.script("http://a/", Self.setting("s=1", to: "http://a/"), .image("one", "max-age=60"))
    #expect(world.load() == ("one network", ["http://a/", "http://a/ cookie: s=1"]))
    #expect(world.storedCount == 0)
  }

  @Test("cookies live as long as one load, and reach only the origin that set them")
  func chain() {
    let world = RedirectWorld([
      "http://a/": Self.setting("s=1; Path=/", "t=2; Path=/", to: "http://a/1"),
      "http://a/1": Self.setting("t=3; Path=/", to: "http://b/"),
      "http://b/": Self.setting("u=4", to: "http://a/2"),
      "http://a/2": .image("one", "max-age=60"),
    ])
    for _ in 1...2 {
      #expect(
        world.load()
          == (
            "one network",
            ["http://a/", "http://a/1 cookie: s=1; t=2", "http://b/", "http://a/2 cookie: s=1; t=3"]
          ))
    }
    #expect(world.load("http://a/2") == ("one network", ["http://a/2"]))
  }

  @Test("a redirect is not stored without the cookie that its target needs")
  func cachedRedirect() {
    let world = RedirectWorld([
      "http://a/": .redirect(to: "http://a/1", ["Set-Cookie": "s=1", "Cache-Control": "max-age=60"]),
      "http://b/": .redirect(to: "http://c/1", ["Set-Cookie": "s=1", "Cache-Control": "max-age=60"]),
      "http://a/1": .image("one", "max-age=60"), "http://c/1": .image("two", "max-age=60"),
    ])
    for _ in 1...2 {
      #expect(world.load() == ("one network", ["http://a/", "http://a/1 cookie: s=1"]))
    }
    #expect(world.load("http://b/") == ("two network", ["http://b/", "http://c/1"]))
    #expect(world.load("http://b/") == ("two disk", []))
  }

  @Test("a cookie of the caller is sent as well, after those of redirects")
  func callersCookie() {
    let world = RedirectWorld([
      "http://a/": Self.setting("s=1", to: "http://a/1"), "http://a/1": .image("one", "max-age=60"),
    ])
    #expect(
      world.load("http://a/", ["Cookie": "s=0; t=2"])
        == ("one network", ["http://a/ cookie: s=0; t=2", "http://a/1 cookie: s=1; s=0; t=2"]))
  }
}
