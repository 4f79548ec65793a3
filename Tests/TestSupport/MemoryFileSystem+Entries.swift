package import CellophaneTesting

extension MemoryFileSystem {
  /// The paths of the entries, sorted.
  package var entries: [String] { files.keys.filter { $0.hasSuffix(".cellophane-3") }.sorted() }

  /// The paths of the prefixes, sorted.
  package var prefixes: [String] { files.keys.filter { $0.hasSuffix(".cellophane-3p") }.sorted() }
}
