internal import Foundation
internal import Testing

@Suite("Topics of landing pages")
struct TopicTests {
  /// Returns the names of the public top-level symbols of `source`. A declaration is indented by two spaces for each
  /// enclosing `#if`; deeper ones belong to a type or an extension.
  private static func publicSymbols(in source: String) -> [String] {
    let declaration =
      /^(?:@\w+(?:\([^)]*\))? )*public (?:(?:final|indirect|distributed|nonisolated) )*(?:class|struct|enum|protocol|actor|typealias|func|let|var|macro) `?(\w+)/
    var indentation = ""
    return source.split(separator: "\n").compactMap { line in
      let code = line.drop { $0 == " " }
      if code.hasPrefix("#if") { indentation += "  " }
      if code.hasPrefix("#endif") { indentation.removeLast(min(2, indentation.count)) }
      guard line.prefix(line.count - code.count) == indentation else { return nil }
      return (try? declaration.firstMatch(in: code)).flatMap { String($0.output.1) }
    }
  }

  /// Returns the public members that extensions of top-level types in `source` declare, with their types.
  private static func publicMembers(in source: String) -> [(type: String, member: String)] {
    let declaration =
      /^  (?:@\w+(?:\([^)]*\))? )*public (?:(?:static|mutating|nonisolated) )*(?:func|let|var) `?(\w+)/
    var type: String?
    return source.split(separator: "\n").compactMap { line in
      if line.first != " " {
        type = line.firstMatch(of: /^extension (\w+)(?![\w.])/).map { String($0.output.1) }
      }
      guard let type, let member = line.firstMatch(of: declaration) else { return nil }
      return (type, String(member.output.1))
    }
  }

  /// Returns the symbol links in the topics of `page`, as the components of their paths without arguments.
  private static func links(of page: String) -> [[Substring]] {
    guard let start = page.range(of: "\n## Topics") else { return [] }
    return page[start.upperBound...].matches(of: /(?m)^\s*- ``([\w\/]+)/).map {
      $0.output.1.split(separator: "/")
    }
  }

  /// Returns the names in the topics of `page`: the first component of each symbol link in a list.
  private static func topics(of page: String) -> Set<String> {
    Set(links(of: page).compactMap(\.first).map(String.init))
  }

  @Test("Every public top-level symbol is in a topic", arguments: Repository.documentedModules)
  func topics(module: String) throws {
    let page = try Repository.text(of: "Sources/\(module)/\(module).docc/\(module).md")
    let topics = Self.topics(of: page)
    var count = 0
    let folders = [module] + Repository.exportedModules[module, default: []]
    let paths = try folders.flatMap { try Repository.paths(in: "Sources/\($0)", suffix: ".swift") }
    for path in paths where !path.contains(".docc/") {
      for symbol in Self.publicSymbols(in: try Repository.text(of: path)) {
        count += 1
        #expect(topics.contains(symbol), "\(module).md has no topic with \(symbol), which \(path) declares")
      }
    }
    // This module only extends the types of another one.
    #expect(count > 0 || module == "CellophaneReport")
  }

  @Test("Every public member of another module's type is in a topic", arguments: Repository.documentedModules)
  func members(module: String) throws {
    let links = Self.links(of: try Repository.text(of: "Sources/\(module)/\(module).docc/\(module).md"))
    let folders = [module] + Repository.exportedModules[module, default: []]
    let texts = try folders.flatMap { try Repository.paths(in: "Sources/\($0)", suffix: ".swift") }
      .filter { !$0.contains(".docc/") }.map(Repository.text(of:))
    let own = Set(texts.flatMap(Self.publicSymbols(in:)))
    let members = texts.flatMap(Self.publicMembers(in:)).filter { !own.contains($0.type) }
    for (type, member) in members {
      let isListed = links.contains { $0.suffix(2) == [type[...], member[...]] || $0.last == type[...] }
      #expect(isListed, "\(module).md has no topic with \(type)/\(member)")
    }
    #expect(!own.isEmpty || !members.isEmpty)
  }

  @Test("Declarations and topics are recognized")
  func recognition() {
    let source = """
      public struct A: Sendable {
        public struct Nested {}
      }
      @frozen public enum B {}
      public final class C {}
      public func d() {}
      extension A {
        public func e() {}
      }
      struct F {}
      package struct G {}
      // public struct H {}
      #if os(Linux)
        public struct I {
          public struct Nested {}
        }
      #endif
      public protocol J {}
      """
    #expect(Self.publicSymbols(in: source) == ["A", "B", "C", "d", "I", "J"])
    let page = "# ``M``\n\n``Z``\n\n## Topics\n\n### T\n- ``A``\n- <doc:X>\n- ``B/c(_:)``\n"
    #expect(Self.topics(of: page) == ["A", "B"])
    #expect(Self.links(of: page) == [["A"], ["B", "c"]])
    let extended =
      "extension K {\n  public func m() {}\n  func n() {}\n}\nextension K.L {\n  public var o: Int { 1 }\n}\n"
    #expect(
      Self.publicMembers(in: source + "\n" + extended).map { "\($0.type)/\($0.member)" } == ["A/e", "K/m"])
  }
}
