@testable internal import CellophaneCore
internal import Testing

@Suite("Host names in other scripts")
struct HostNameTests {
  /// Most are from RFC 3492 and UTS 46. Letters with marks are also given decomposed and in another order.
  @Test(
    "a host name has one ASCII form",
    arguments: [
      ("b\u{FC}cher.example", "xn--bcher-kva.example"), ("BU\u{308}CHER.Example", "xn--bcher-kva.example"),
      ("m\u{FC}nchen-k\u{F6}ln.de", "xn--mnchen-kln-lcb8d.de"), ("fa\u{DF}.de", "xn--fa-hia.de"),
      ("日本語.jp", "xn--wgv71a119e.jp"), ("ｅｘＡｍｐｌｅ。com", "example.com"),
      ("россия.рф", "xn--h1alffa9f.xn--p1ai"),
      ("ελλάς.gr", "xn--hxarsa0b.gr"), ("한국.kr", "xn--3e0b707e.kr"),
      ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}.kr", "xn--3e0b707e.kr"),
      ("vi\u{1EC7}t.vn", "xn--vit-5kz.vn"), ("vie\u{302}\u{323}t.vn", "xn--vit-5kz.vn"),
      ("vie\u{323}\u{302}t.vn", "xn--vit-5kz.vn"), ("か\u{3099}.jp", "xn--v8j.jp"),
      ("Ⅷ\u{FB01}.de", "viiifi.de"),
      ("उदाहरण.परीक्षा", "xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"), ("مثال.إختبار", "xn--mgbh0fb.xn--kgbechtv"),
      ("3年B組金八先生.jp", "xn--3b-ww4c5e180e575a65lsy2b.jp"),
      ("安室奈美恵-with-SUPER-MONKEYS", "xn---with-super-monkeys-pc58ag80a8qai00g7n9n"),
      ("\u{646}\u{627}\u{645}\u{647}\u{200C}\u{627}\u{6CC}.com", "xn--mgba3gch31f060k.com"),
      ("b\u{FC}\u{AD}cher", "xn--bcher-kva"), ("..\u{FC}", "..xn--tda"),
      (String(repeating: "\u{FC}", count: 40), "xn--tda" + String(repeating: "a", count: 39)),
    ])
  func asciiForm(name: String, expected: String) { #expect(HostName.ascii(name) == expected) }

  @Test(
    "a name is refused with a character or a form that no name has",
    arguments: [
      "\u{FC} b", "\u{FC}/b", "\u{FC}%41", "\u{FF20}\u{FC}", "\u{FC}\u{FFFD}", "\u{FC}\u{FF0F}x",
      "a\u{FF0F}b", "❤.ws", "-\u{FC}.de", "a\u{200D}b",
      "a\u{200C}b",
      "\u{301}\u{FC}", "\u{FC}\u{0}", "\u{FC}\u{202E}", "\u{FC}\u{3000}", "\u{FC}\u{E000}", "\u{FC}\u{378}",
      "xn--\u{FC}",
      String(repeating: "\u{FC}", count: 60), String(repeating: "x", count: 10_000) + "\u{FC}",
    ])
  func refused(name: String) { #expect(HostName.ascii(name) == nil) }

  @Test(
    "a URL names its host in ASCII, however the host is written",
    arguments: [
      "http://b\u{FC}cher.example:8080/a", "http://b%C3%BCcher.example:8080/a",
      "http://B%c3%9ccher.EXAMPLE:8080/a",
      "HTTP://bu\u{308}cher\u{3002}example:8080/a#b", "http://%62u%CC%88cher.example:8080/a",
      "http://xn--bcher-kva.example:8080/a",
    ])
  func url(text: String) throws {
    let (url, origin) = try CanonicalURL.parse(text)
    #expect(url == "http://xn--bcher-kva.example:8080/a" && origin.host == "xn--bcher-kva.example")
  }

  @Test("a URL without a path and with the default port names its host in ASCII")
  func shortURL() throws {
    for (text, expected) in [
      ("https://\u{FC}", "https://xn--tda/"), ("https://\u{FC}:443?q=\u{FC}", "https://xn--tda/?q=%C3%BC"),
      ("file:///\u{FC}", "file:///%C3%BC"),
    ] {
      #expect(try CanonicalURL.parse(text).url == expected)
    }
  }

  @Test(
    "a URL with an invalid host in another script is refused without its text",
    arguments: [
      "http://\u{FC}\u{FF0F}/", "http://%C3%BC%EF%BC%8F/", "http://b%FCcher/", "http://\u{FC}\u{FF20}geheim/",
      "http://\u{FC}:geheim@h/", "http://\u{FC}:geheim/", "http://\u{FC}%40geheim/", "http://[\u{FC}]/",
    ])
  func refusedURL(text: String) {
    #expect { try CanonicalURL.parse(text) } throws: {
      ($0 as? LoadError)?.kind == .invalidRequest && !"\($0)".contains("geheim")
    }
  }
}
