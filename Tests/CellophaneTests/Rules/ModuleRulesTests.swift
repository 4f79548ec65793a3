internal import Foundation
internal import Testing

@Suite("Rules of the modules")
struct ModuleRulesTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
  private static let sources = root.appending(path: "Sources")

  /// The targets with sources, and among them those with Swift files.
  private static func targets() throws -> (all: Set<String>, swift: Set<String>) {
    let all = Set(try FileManager.default.contentsOfDirectory(atPath: sources.path()))
    return (all, try all.filter { !(try files(of: $0)).isEmpty })
  }

  /// The Swift files of `module`, by their paths within it. The code of tutorials belongs to no target.
  private static func files(of module: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: module).path())
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted()
  }

  @Test(
    "A module imports what its layer allows, and needs all that it allows",
    arguments: ModuleRules.layers.map { ($0.module, $0.imports) })
  func imports(module: String, allowed: Set<String>) throws {
    let targets = try Self.targets().all
    var imported: Set<String> = []
    for file in try Self.files(of: module) {
      let path = Self.sources.appending(path: module).appending(path: file)
      let imports = SourceRules.imports(in: try String(contentsOf: path, encoding: .utf8))
      let others = imports.subtracting(allowed)
      #expect(others.isEmpty, "Sources/\(module)/\(file)")
      imported.formUnion(imports)
    }
    #expect(allowed.intersection(targets).subtracting(imported).isEmpty)
  }

  @Test("Arrows between modules point down")
  func order() throws {
    let modules = ModuleRules.layers.map(\.module)
    #expect(try Set(modules) == Self.targets().swift)
    for (index, layer) in ModuleRules.layers.enumerated() {
      let above = Set(modules[index...])
      #expect(layer.imports.isDisjoint(with: above), "\(layer.module)")
    }
  }

  @Test(
    "The manifest declares what a module imports, and no more",
    arguments: ModuleRules.layers.map { ($0.module, $0.imports) })
  func manifest(module: String, allowed: Set<String>) throws {
    let text = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let targets = try Self.targets().all
    let declared = ModuleRules.dependencies(of: module, in: words, among: targets)
    #expect(declared == allowed.intersection(targets))
  }

  @Test("Virtual time needs no C library")
  func virtualTime() throws {
    let targets = try Self.targets()
    let testing = try #require(ModuleRules.layers.first { $0.module == "CellophaneTesting" })
    #expect(testing.imports.isDisjoint(with: targets.all.subtracting(targets.swift)))
  }

  @Test("Dependencies are read from a manifest")
  func dependencies() {
    let manifest = """
      .target(name: "A", dependencies: ["C", .target(name: "D", condition: .when(traits: ["T"])), ], x),
      .testTarget(name: "ATests", dependencies: ["A", "E"]), .target(name: "B", dependencies: []),
      .target(name: "G", dependencies: cellophane + ["C"]), .target(name: "H", dependencies: cellophane, x: ["E"])
      """
    let targets: Set = ["A", "C", "Cellophane", "D", "E"]
    #expect(ModuleRules.dependencies(of: "A", in: manifest, among: targets) == ["C", "D"])
    #expect(ModuleRules.dependencies(of: "ATests", in: manifest, among: targets) == ["A", "E"])
    #expect(ModuleRules.dependencies(of: "B", in: manifest, among: targets).isEmpty)
    #expect(ModuleRules.dependencies(of: "F", in: manifest, among: targets).isEmpty)
    #expect(ModuleRules.dependencies(of: "G", in: manifest, among: targets) == ["C", "Cellophane"])
    #expect(ModuleRules.dependencies(of: "H", in: manifest, among: targets) == ["Cellophane"])
  }
}
