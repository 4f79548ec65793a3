internal import CellophaneHTTP
internal import Testing

@Suite struct RobotsFileTests {
  private func allows(_ file: String, _ path: String, robot: String = "ExampleBot") -> Bool {
    RobotsFile(Array(file.utf8), for: robot).allows(PathPattern.path(of: "http://h.example" + path))
  }

  @Test(arguments: [
    // RFC 9309, section 5.1.
    ("User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/", "/a.gif", false),
    ("User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/", "/a.gif?x", true),
    ("User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/", "/example/a", false),
    ("User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/", "/publications/a", true),
    // Section 5.2: the longest match.
    (
      "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/",
      true
    ),
    ("User-agent: *\nAllow: /a/b\nDisallow: /a/", "/a/b", true),
    ("User-agent: *\nDisallow: /a/\nAllow: /a/b", "/a/c", false),
    // Equal lengths: allow.
    ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", true),
    ("User-agent: *\nAllow: /a\nDisallow: /a", "/a", true),
    // An own group replaces the common one, and groups of one robot are merged.
    ("User-agent: *\nDisallow: /\n\nUser-agent: examplebot\nDisallow: /x", "/a", true),
    ("User-agent: *\nDisallow: /\n\nUser-agent: EXAMPLEBOT/2.0\nDisallow: /x", "/x", false),
    ("User-agent: examplebot\nDisallow: /x\n\nUser-agent: examplebot\nDisallow: /y", "/y", false),
    ("User-agent: other\nUser-agent: examplebot\nDisallow: /x", "/x", false),
    ("User-agent: other\nDisallow: /x\nUser-agent: *\nAllow: /", "/x", true),
    ("User-agent: examplebots\nDisallow: /", "/x", true),
    ("User-agent: examplebot2\nDisallow: /", "/x", true),
    // Other lines do not end a group.
    ("User-agent: *\nCrawl-delay: 3\nSitemap: http://h/s\nDisallow: /x", "/x", false),
    ("\u{FEFF}user-agent : *\r\n disallow : /x # comment\r\n", "/xy", false),
    ("User-agent: *\nDisallow:", "/x", true), ("Disallow: /x", "/x", true), ("", "/x", true),
    ("User-agent: *\n# Disallow: /\nDisallow /y", "/y", true),
    // Percent-encoding, section 2.2.2.
    ("User-agent: *\nDisallow: /foo/bar/\u{30C4}", "/foo/bar/%E3%83%84", false),
    ("User-agent: *\nDisallow: /foo/bar/%E3%83%84", "/foo/bar/\u{30C4}", false),
    ("User-agent: *\nDisallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false),
    ("User-agent: *\nDisallow: /foo%2fbar", "/foo%2Fbar", false),
    ("User-agent: *\nDisallow: /foo%2Fbar", "/foo/bar", true),
    ("User-agent: *\nDisallow: /a%2Ab", "/a*b", false), ("User-agent: *\nDisallow: /a%2Ab", "/axb", true),
    ("User-agent: *\nDisallow: /a$b", "/a$b", false),
    ("User-agent: *\nDisallow: /", "", false), ("User-agent: *\nDisallow: /?q", "?q=1", false),
    ("User-agent: *\nDisallow: /*/c/*.jpg$", "/a/b/c/d.jpg", false),
    ("User-agent: *\nDisallow: /*/c/*.jpg$", "/c/d.jpg", true), ("User-agent: *\nDisallow: *$", "/a", false),
    ("User-agent: *\nDisallow: /a$", "/ab", true), ("User-agent: *\nDisallow: /*ab*ab$", "/xabab", false),
    ("User-agent: *\nDisallow: /*ab*ab$", "/xab", true), ("User-agent: *\nDisallow: /*aab", "/aaab", false),
  ])
  func `the rules of RFC 9309 decide`(_ file: String, path: String, expected: Bool) {
    #expect(allows(file, path) == expected, "\(file) \(path)")
  }

  @Test func `other bytes are no rules, and a large file is cut off`() {
    var random = SystemRandomNumberGenerator()
    let noise = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    _ = RobotsFile(noise, for: "examplebot")
    let padding = String(repeating: "# comment\n", count: 51_300)
    #expect(!allows("User-agent: *\nDisallow: /x\n" + padding, "/x"))
    #expect(allows(padding + "User-agent: *\nDisallow: /x\n", "/x"))
    // The limit is within the second rule.
    let cut = "User-agent: *\nDisallow: /x\n" + padding.prefix(512_000 - 32) + "\nDisallow: /private\n"
    #expect(allows(cut, "/print") && !allows(cut, "/x"))
    #expect(
      !RobotsFile(Array("User-agent: *\nDisallow: /caf".utf8) + [0xE9], for: "b").allows(
        PathPattern.path(of: "http://h/caf%E9.png")))
    #expect(!allows("User-agent: ai2bot/1.0 (x)\nDisallow: /", "/x", robot: "AI2Bot"))
  }

  @Test func `patterns of asterisks take linear time`() {
    let pattern = "/" + String(repeating: "*a", count: 5_000) + "*b"
    let path = "/" + String(repeating: "a", count: 60_000)
    #expect(allows("User-agent: *\nDisallow: \(pattern)", path))
  }
}
