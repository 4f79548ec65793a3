/// The modules as layers, and the modules that each may import.
enum ModuleRules {
  /// The modules from the bottom up. A module may import those in its list, and of this package only those above it here.
  static let layers: [(module: String, imports: Set<String>)] = [
    ("CellophaneHTTP", []),
    (
      "CellophaneCore",
      [
        "CIDN2", "CXXHash", "CZLib", "CellophaneHTTP", "Darwin", "Dispatch", "Foundation",
        "FoundationEssentials",
        "Glibc",
        "Musl", "Synchronization",
      ]
    ),
    ("CacheEviction", ["CellophaneCore"]),
    (
      "CellophaneDisk",
      ["CFiles", "CellophaneCore", "CellophaneHTTP", "Darwin", "Glibc", "Musl", "Synchronization"]
    ),
    (
      "CellophaneCurl",
      [
        "CCurl", "CellophaneCore", "CellophaneHTTP", "Darwin", "Foundation", "FoundationEssentials", "Glibc",
        "Synchronization",
      ]
    ),
    ("CellophaneS3", ["CCurl", "CellophaneCore", "CellophaneCurl", "Synchronization"]),
    (
      "CellophaneImages",
      [
        "CImageCodecs", "CLCMS2", "CLibDeflate", "CellophaneCore", "CellophaneHTTP", "Darwin", "Foundation",
        "FoundationEssentials", "Glibc", "Musl", "Synchronization",
      ]
    ),
    ("CellophaneAVIF", ["CAVIFCodec", "CellophaneCore", "CellophaneImages"]),
    ("CellophaneGIF", ["CGIFCodec", "CellophaneCore", "CellophaneImages"]),
    ("CellophaneWebP", ["CWebPCodec", "CellophaneCore", "CellophaneImages"]),
    (
      "Cellophane",
      [
        "CacheEviction", "CellophaneCore", "CellophaneCurl", "CellophaneDisk", "CellophaneHTTP",
        "CellophaneImages", "Darwin",
        "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization",
      ]
    ),
    // No user interface framework.
    ("CellophaneScreens", ["Cellophane", "Observation", "Synchronization"]),
    (
      "CellophanePublishers",
      ["Cellophane", "CellophaneScreens", "Combine", "OpenCombine", "Synchronization"]
    ),
    ("CellophaneUI", ["Cellophane", "CoreGraphics", "Foundation", "Observation", "SwiftUI", "UIKit"]),
    // Virtual time: no C library, no files, no threads.
    ("CellophaneTesting", ["Cellophane", "Synchronization"]),
    // Values that the embedded origin and the simulation take.
    ("CellophaneNetwork", ["CellophaneCore"]),
    (
      "CellophaneTestOrigin",
      [
        "CGnuTLS", "CMicroHTTPD", "Cellophane", "CellophaneNetwork", "Darwin", "Glibc", "Synchronization",
      ]
    ),
    // Values: no screen, no socket, no C library.
    (
      "CellophaneResults",
      [
        "Cellophane", "CellophaneNetwork", "Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl",
        "Synchronization",
      ]
    ),
    // Neither the engine nor its reports import each other, so that they compile side by side.
    (
      "CellophaneReport",
      ["Cellophane", "CellophaneNetwork", "CellophaneResults", "Darwin", "Glibc", "Musl"]
    ),
    (
      "CellophaneSimulation",
      [
        "Cellophane", "CellophaneNetwork", "CellophaneResults", "CellophaneScreens", "CellophaneTestOrigin",
        "CellophaneTesting",
        "Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization",
      ]
    ),
    (
      "CellophaneBatch",
      [
        "CGnuTLS", "CZstd", "Cellophane", "CellophaneS3", "Darwin", "Dispatch", "Foundation",
        "FoundationEssentials", "Glibc", "Synchronization",
      ]
    ),
    (
      "CellophaneBrowser",
      [
        "CTerminal", "Cellophane", "CellophaneScreens", "Darwin", "Dispatch", "Foundation",
        "FoundationEssentials", "Glibc", "Observation", "Synchronization",
      ]
    ),
    (
      "CellophaneTool",
      [
        "ArgumentParser", "CAllocator", "Cellophane", "CellophaneBatch", "CellophaneAVIF", "CellophaneGIF",
        "CellophaneWebP",
        "CellophaneBrowser",
        "CellophaneReport", "CellophaneResults", "CellophaneS3", "CellophaneSimulation",
        "CellophaneTestOrigin",
        "CellophaneNetwork", "Darwin", "Dispatch",
        "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
      ]
    ),
  ]

  /// The targets that the target `module` of the package manifest names as dependencies, as far as they are in `targets`.
  /// The list `cellophane` of the manifest counts as the module that exports it.
  static func dependencies(of module: String, in manifest: String, among targets: Set<String>) -> Set<String>
  {
    let start = "name: \"\(module)\", dependencies: "
    guard let declaration = manifest.firstRange(of: start) else { return [] }
    var list = manifest[declaration.upperBound...]
    var found: Set<String> = []
    if list.hasPrefix("cellophane") {
      found.insert("Cellophane")
      list = list.dropFirst("cellophane".count)
      guard list.hasPrefix(" + [") else { return found.intersection(targets) }
    }
    found.formUnion(list.prefix { $0 != "]" }.matches(of: /"(\w+)"/).map { String($0.output.1) })
    return found.intersection(targets)
  }
}
