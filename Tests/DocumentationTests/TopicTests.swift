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

  /// Returns the names in the topics of `page`: the first component of each symbol link in a list.
  private static func topics(of page: String) -> Set<String> {
    guard let start = page.range(of: "\n## Topics") else { return [] }
    return Set(page[start.upperBound...].matches(of: /(?m)^\s*- ``(\w+)/).map { String($0.output.1) })
  }

  @Test("Every public top-level symbol is in a topic", arguments: Repository.documentedModules)
  func topics(module: String) throws {
    let page = try Repository.text(of: "Sources/\(module)/\(module).docc/\(module).md")
    let topics = Self.topics(of: page)
    var count = 0
    let folders = [module] + (module == "Cellophane" ? Repository.exportedModules : [])
    let paths = try folders.flatMap { try Repository.paths(in: "Sources/\($0)", suffix: ".swift") }
    for path in paths where !path.contains(".docc/") {
      for symbol in Self.publicSymbols(in: try Repository.text(of: path)) {
        count += 1
        #expect(topics.contains(symbol), "\(module).md has no topic with \(symbol), which \(path) declares")
      }
    }
    #expect(count > 0)
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
  }
}
