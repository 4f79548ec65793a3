internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Names of output files")
struct OutputNameTests {
  static let hash = "0123456789abcdef0123456789abcdef"
  static let key = "fedcba9876543210fedcba9876543210"

  static func path(_ template: String, _ url: String = "http://Example.org:81/a/photo.01.jpg?w=1") throws
    -> String
  {
    try OutputName(template).path(of: .init(line: 42, url: url, key: key), contentHash: hash)
  }

  @Test(arguments: [
    ("{index}", "42"), ("{index:8}", "00000042"), ("{hash:2}/{hash}", "01/\(hash)"),
    ("{key:3}-{key}", "fed-\(key)"),
    ("{host}/{index:1}", "example.org_81/42"), ("{name}_{index}", "photo.01_42"),
    ("{name:3}_{index}", "pho_42"),
    ("x {hash:16} y", "x 0123456789abcdef y"), ("p2{index}", "p242"), ("{index}{hash:2}", "4201"),
    ("{key:2}{index}_{name}", "fe42_photo.01"),
    ("{name}/{name}-{index}{hash:2}", "photo.01/photo.01-4201"),
    ("{index}{name}/{name}-{index}", "42photo.01/photo.01-42"), ("{name}{key}", "photo.01\(key)"),
    ("{name}", "photo.01"), ("{name}.{ext}", "photo.01.jpg"), ("{name:1}{index:8}", "p00000042"),
  ])
  func templates(template: String, path: String) throws { #expect(try Self.path(template) == path) }

  @Test(arguments: [
    ("{index:8}", "00000042"), ("{host}/{name}_{key}", "h/x_\(key)"), ("{hash}", nil),
    ("{hash:2}/{index}", nil),
  ])
  func `a name without the content hash is known before the load`(template: String, path: String?) throws {
    #expect(try OutputName(template).path(of: .init(line: 42, url: "http://h/x", key: Self.key)) == path)
  }

  /// URLs that could change the path.
  @Test(arguments: [
    ("http://h/../..", "_."), ("http://h/..%2f..", "_.._."), ("http://h/", "_"), ("http://h", "_"),
    ("nonsense", "_"),
    ("http://h/.hidden", "_.hidden"), ("http://h/a\u{0}b", "a_b"), ("http://h/\u{1F600}.png", "\u{1F600}"),
    ("http://h/%2e%2e/%2e%2e%2f%2e%2e", "_.._.."), ("http://h/a%00b", "a_b"), ("http://h/%E5%8C%97.png", "北"),
    ("http://h/caf%C3%A9.jpg?x", "café"), ("http://h/caf%E9.jpg", "caf_E9"), ("http://h/100%.jpg", "100_"),
    ("http://h/a%20b%3A%22.jpg", "a_b__"), ("http://h/%E2%80%AEgpj.png", "_gpj"), ("http://h/%+1x", "__1x"),
    ("http://h/" + String(repeating: "北", count: 90), String(repeating: "北", count: 40)),
    ("http://h/a b\\c.jpg", "a_b_c"), ("http://h/x#/etc/passwd", "x"),
    ("http://h/" + String(repeating: "n", count: 9_000), String(repeating: "n", count: 120)),
  ])
  func `no URL leaves the folder`(url: String, name: String) throws {
    let path = try Self.path("{index}/{name}", url)
    #expect(path.utf8.allSatisfy { $0 != 0 })
    #expect(path.split(separator: "/").count == 2)
    #expect(path == "42/\(name)")
  }

  @Test(arguments: [
    "{index", "index}", "{}", "{index:0}", "{index:33}", "{index:x}", "{id:0}", "../{index}", "/{index}",
    "a//{index}", "../{name}", "{id}/", "{id}\u{0}",
    "{host}{index}/x", "{index:2}{host}", "{hash:8}{index}0{name}", "{hash:8}-{id}",
    "{index}/", "", "{hash:8}", "{host}", "{ext}", "fixed", "./{index}", "{index}\u{0}",
  ])
  func `an invalid template is refused`(template: String) throws {
    let error = #expect(throws: LoadError.self) { try OutputName(template) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("invalid template of file names ") == true)
  }

  @Test(arguments: [
    "{name}", "{name}{index}", "{name}{index:8}", "{index}{name}", "{index}0{name}", "{name}0{index}",
    "{name}-{index}-{name}", "{id}", "{kind}/{name}", "{id:8}{host}",
  ])
  func `a name from the path of the URL or a column may repeat`(template: String) throws {
    #expect(try !OutputName(template).isUnique)
  }

  @Test(arguments: [
    ("{id}", "17"), ("{kind}/{index}", "A_b/42"), ("{caption:3}-{index}", "Ein-42"), ("{a:b}", "_.x"),
    ("{none}-{index}", "_-42"), ("{null}", "_"), ("{text}", "Ünï_北"), ("{list}-{index}", "_1_2_-42"),
  ])
  func `a column of the list is a field`(template: String, path: String) throws {
    let fields =
      #""id":17,"kind":"A/b","caption":"Ein Bild","a:b":".x","null":null,"text":"Ünï\t北","list":[1,2]"#
    let name = try OutputName(template)
    #expect(
      name.path(of: .init(line: 42, url: "http://h/x", key: Self.key, otherFields: Array(fields.utf8)))
        == path)
    #expect(name.columns.count == 1)
  }

  @Test(arguments: [
    "{name}-{index}", "{index}-{name}", "{index}_{name}{host}", "p2{index}", "{index}{hash:2}",
    "{name}/{index}", "{hash:3}{index}.{name}", "{name}_{index:2}{key:2}", "{index:2}",
    "{name}{host}/x{index}x/{name}",
  ])
  func `two records never have the same name`(template: String) throws {
    let name = try OutputName(template)
    #expect(name.isUnique)
    // Next to a number, some of these texts look like another text with another number.
    let texts = ["1", "11", "a", "a1", "a-1", "1-a", "1_1", "-", "-1-", "a.1"]
    var owners: [String: Int] = [:]
    for line in 1...120 {
      for host in texts {
        for text in texts {
          let subject = OutputName.Subject(line: line, url: "http://\(host)/\(text).png", key: Self.key)
          let path = name.path(of: subject, contentHash: Self.hash)
          #expect(owners.updateValue(line, forKey: path) ?? line == line, "\(path)")
        }
      }
    }
  }
}
