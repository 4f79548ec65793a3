internal import Foundation
internal import Testing

@Suite("Folder rules")
struct FolderRulesTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized

  /// Returns the paths of the Swift files of `module`, relative to it. Tutorial code belongs to no target and is
  /// omitted.
  private static func files(of module: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: module).path())
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted()
  }

  @Test("a file uses only its own folder and lower folders", arguments: FolderRules.layers.keys.sorted())
  func layers(module: String) throws {
    let folders = try #require(FolderRules.layers[module])
    let files = try Self.files(of: module)
    let (unlisted, empty) = FolderRules.differences(of: files, from: folders)
    #expect(unlisted.isEmpty, "FolderRules.layers does not list these folders of \(module)")
    #expect(empty.isEmpty, "FolderRules.layers lists folders that \(module) does not have")
    let sources = try files.map { file in
      let path = Self.root.appending(path: module).appending(path: file)
      return (file: file, text: try String(contentsOf: path, encoding: .utf8))
    }
    for violation in FolderRules.violations(in: sources, of: module, folders: folders) {
      Issue.record("Sources/\(module)/\(violation)")
    }
  }

  @Test("every module with Swift files has layers")
  func modules() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.root.path())
      .filter { !(try Self.files(of: $0)).isEmpty }
    #expect(Set(modules) == Set(FolderRules.layers.keys))
  }

  /// Returns the names from the upper folder that a file with the text `lower` uses in the lower folder.
  private func names(in lower: String) -> [String] {
    let upper = """
      public final class Loader<Value> { struct Part {}; func start() {} }
      private struct Hidden {}
      typealias Work = () -> Void
      func combine(_ a: Int) {}
      extension Key { static let first = Key() }
      """
    return FolderRules.violations(
      in: [("Upper/Loader.swift", upper), ("Lower/Key.swift", lower)], of: "Module",
      folders: ["Lower", "Upper"]
    ).map(\.name)
  }

  @Test(
    "a use of a name from a higher folder is found",
    arguments: [
      ("struct Key { let loader: Loader<Int> }", "Loader"), ("func run(_ loader: some Loader) {}", "Loader"),
      ("struct Key { func run() { Loader<Int>.start() } }", "Loader"), ("let a = [Loader<Int>]()", "Loader"),
      ("extension Loader { func more() {} }", "Loader"), ("let a: Module.Loader<Int>", "Loader"),
      ("let a = \"\\(Loader<Int>())\"", "Loader"), ("struct Key { var work: Work? }", "Work"),
      ("struct Key { func run() { combine(1) } }", "combine"),
      ("#if DEBUG\nlet a: Loader<Int>\n#endif", "Loader"),
    ])
  func found(source: String, name: String) {
    #expect(names(in: source) == [name])
  }

  @Test(
    "other uses of such a name are ignored",
    arguments: [
      "// Loader", "/// Like ``Loader``.\nstruct Key {}", "/* Loader */", "let a = \"Loader\"",
      "let a = \"\"\"\n  Loader\n  \"\"\"", "struct Key { struct Loader {}; let loader: Loader }",
      "struct Key {}\nextension Key { enum Loader {} ; func run(_ a: Loader) {} }",
      "struct Key { enum Loader {} ; let a: Loader }\nextension Key {}",
      "private struct Loader {}\nlet a = Loader()", "func run<Loader>(_ a: Loader) {}", "let a: Other.Loader",
      "struct Key<Loader: Sendable> { let a: Loader }",
      "protocol Key { associatedtype Work; var work: Work { get } }",
      "let a: Hidden", "let a = key.combine(1)", "let combine = 1", "func combine() {}", "let a: Loaders",
      "struct Key { func combine(_ a: Int) {}; func run() { combine(1) } }", "let a: Part",
    ])
  func ignored(source: String) {
    #expect(names(in: source).isEmpty)
  }

  @Test("names from lower folders and the same folder are allowed")
  func allowed() {
    let sources = [
      (file: "Lower/Key.swift", text: "struct Key {}"),
      (file: "Upper/A.swift", text: "struct A { let b: B }"),
      (file: "Upper/B.swift", text: "struct B { let key: Key }"), (file: "C.swift", text: "let c: A"),
    ]
    let up = FolderRules.violations(in: sources, of: "Module", folders: ["Lower", "Upper", "."])
    #expect(up.isEmpty)
    let down = FolderRules.violations(in: sources, of: "Module", folders: [".", "Upper", "Lower"])
    #expect(
      down.map(\.description) == [
        "Upper/B.swift:1 in Upper uses Key, which Lower declares",
        "C.swift:1 in . uses A, which Upper declares",
      ])
  }

  @Test("a name that two folders declare belongs to the lower one")
  func declaredTwice() {
    let sources = [
      (file: "Lower/Key.swift", text: "struct Key {}"), (file: "Upper/Key.swift", text: "struct Key {}"),
      (file: "Middle/A.swift", text: "let key: Key"),
    ]
    #expect(
      FolderRules.violations(in: sources, of: "Module", folders: ["Lower", "Middle", "Upper"]).isEmpty)
    #expect(
      FolderRules.violations(in: sources, of: "Module", folders: ["Middle", "Lower", "Upper"]).count == 1)
  }

  @Test("unlisted folders and listed folders without files are found")
  func folders() {
    let (unlisted, empty) = FolderRules.differences(
      of: ["A.swift", "Lower/B.swift", "Lower/Deep/C.swift"], from: ["Lower", "Upper"])
    #expect(unlisted == [".", "Lower/Deep"])
    #expect(empty == ["Upper"])
  }
}
