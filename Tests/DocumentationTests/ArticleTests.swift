internal import Foundation
internal import Testing

@Suite("Code in documents")
struct ArticleTests {
  /// Returns the code that tests compile. Documents may show only its lines.
  private static func compiled() throws -> [SwiftCode] {
    let folders = [
      "Tests/DocumentationTests", "Tests/CellophaneScreensTests/Documentation",
      "Tests/CellophaneCurlTests/Documentation", "Examples/AsyncAlgorithms/Tests",
      "Examples/LoaderUnderTest/Sources", "Examples/thumbnails/Sources",
    ]
    let present = folders.filter {
      FileManager.default.fileExists(atPath: Repository.root.appending(path: $0).path())
    }
    let paths = try present.flatMap { try Repository.paths(in: $0, suffix: ".swift") }
    return try paths.map { SwiftCode(try Repository.text(of: $0)) }
  }

  private static func documents() throws -> [String] {
    let folder = Repository.root.appending(path: "Documentation").path()
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
    return try ["README.md"] + pages.sorted().map { "Documentation/" + $0 }
      + Repository.paths(in: "Sources", suffix: ".md").filter { $0.contains(".docc/") }
  }

  /// Returns true for an excerpt of a package manifest, which no test target can compile.
  private static func isManifest(_ block: String) -> Bool { block.contains(".package(url:") }

  @Test("Documents show only code that is compiled")
  func documents() throws {
    let compiled = try Self.compiled()
    let manifest = try Repository.text(of: "Package.swift")
    let documents = try Self.documents()
    var count = 0
    for path in documents {
      for (line, block) in SwiftCode.blocks(in: try Repository.text(of: path)) {
        count += 1
        if Self.isManifest(block) {
          for product in block.matches(of: /\.product\(name: "([^"]+)", package: "cellophane"/).map(
            \.output.1)
          {
            #expect(manifest.contains(".library(name: \"\(product)\""), "\(path):\(line) names no product")
          }
        } else {
          let code = SwiftCode(block)
          #expect(
            compiled.contains { $0.contains(code) },
            "\(path):\(line) shows code that no test compiles:\n\(block)")
        }
      }
    }
    #expect(documents.count > 20 && documents.contains("README.md"))
    #expect(count > 50)
  }

  @Test("Doc comments show only code that is compiled")
  func comments() throws {
    let compiled = try Self.compiled()
    var count = 0
    for path in try Repository.paths(in: "Sources", suffix: ".swift") where !path.contains(".docc/") {
      let comments = try Repository.text(of: path).split(separator: "\n").map { line in
        line.trimmingCharacters(in: .whitespaces)
      }.map { $0.hasPrefix("///") ? String($0.dropFirst(3)) : "" }
      for (_, block) in SwiftCode.blocks(in: comments.joined(separator: "\n")) {
        count += 1
        let code = SwiftCode(block)
        #expect(
          compiled.contains { $0.contains(code) }, "\(path) shows code that no test compiles:\n\(block)")
      }
    }
    #expect(count >= 4)
  }

  @Test("Only Swift blocks are code")
  func blocks() {
    let markdown =
      "text\n```swift\nlet a = 1\n\n  let b = 2\n```\n```sh\nlet c\n```\n  ```swift\nlet d\n  ```\n"
    let blocks = SwiftCode.blocks(in: markdown)
    #expect(blocks.map(\.line) == [3, 11])
    #expect(SwiftCode(blocks[0].code).lines == ["let a = 1", "let b = 2"])
    let source = SwiftCode("internal import Testing\nfunc f() {\n  let a = 1\n  let b = 2\n}\n")
    #expect(source.contains(SwiftCode("import Testing\nlet a = 1\n\nlet b = 2")))
    #expect(!source.contains(SwiftCode("let b = 2\nlet a = 1")))
    #expect(!source.contains(SwiftCode("let a = 1\n}")))
  }
}
