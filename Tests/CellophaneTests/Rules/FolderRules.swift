/// The folders of each module as layers, and the uses that break their order.
///
/// A file may use the types and functions of its own folder and of the folders below it. So no two folders depend on
/// each other, and a folder can become a module without a change of code.
enum FolderRules {
  /// The folders of each module, from the bottom up. `.` is the module's own folder.
  static let layers: [String: [String]] = [
    "Cellophane": [
      "HTTP", "Core/Model", "Core/System", "Core/Hashing", "Core/Concurrency", "Core/Transfer",
      "Core/Decoding",
      "Core/Events", "Disk/Files", "Disk/Entries", "Disk/Ledger", "Disk/Cache", "Curl/Policy", "Curl/Waiting",
      "Curl/Queues", "Curl/Responses", "Curl/Loop", "Images/Compression", "Images/Header", "Images/Color",
      "Images/Resizing", "Images/Rows", "Images/PNG", "Images/Image", "Images/Metadata", "Eviction", "Memory",
      "Scheduling", "Coalescing", "Loader", "Slots", "Prefetch",
    ],
    "CellophaneScreens": ["Logic", "Bridges", "Input", "State"],
    "CellophanePublishers": ["Publishing", "Receiving", "Mapping", "."],
    "CellophaneUI": ["."],
    "CellophaneTesting": ["Time", "Network", "Transport", "Disk"],
    "CellophaneTestOrigin": ["."],
    "CellophaneBatch": [
      "JSON", "System", "Results", "Input", "Seen", "Output", "Work", "Files", "Politeness", "Progress",
      "Run",
    ],
    "CellophaneSimulation": [
      "Values", "Statistics", "Network", "List", "Gestures", "Prefetch", "Configuration", "Pictures",
      "Events", "Items", "Origin", "Decoding", "Eviction", "Transfers", "Loaders", "Screen", "Recording",
      "Metrics", "World", "Estimates", "Results", "Baselines", "Trial", "Validation", "Comparison",
      "Requests",
      "Studies", "Report/HTML", "Studies/HTML", "Trace", "Stored",
    ],
    "CellophaneBrowser": ["Terminal", "Browser"],
    "CellophaneTool": ["Output", "Values", "Prefetch", "Live", "Options", "Browse", "Commands", "."],
  ]

  /// A use of a name that a folder further up declares.
  struct Violation: Equatable, CustomStringConvertible {
    let file: String
    let line: Int
    let name: String
    /// The folder of the file.
    let folder: String
    /// The folder that declares the name.
    let upper: String

    var description: String { "\(file):\(line) in \(folder) uses \(name), which \(upper) declares" }
  }

  /// The folder of `file`, a path within its module.
  static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
  }

  /// The uses in `sources`, by their paths within `module`, that point up in `folders`, which are listed from the bottom
  /// up. One for each name and file.
  ///
  /// Reads names only, without types: a member of a type that is declared in an extension is not seen.
  static func violations(
    in sources: [(file: String, text: String)], of module: String, folders: [String]
  ) -> [Violation] {
    let ranks = Dictionary(uniqueKeysWithValues: folders.enumerated().map { ($1, $0) })
    let files = sources.map { SourceNames($0.text, file: $0.file) }
    var declared: [String: Set<String>] = [:]
    var members: [String: Set<String>] = [:]
    for file in files {
      for name in file.declared { declared[name, default: []].insert(folder(of: file.file)) }
      for (owner, names) in file.members { members[owner, default: []].formUnion(names) }
    }
    return files.flatMap { file in
      let own = folder(of: file.file)
      guard let rank = ranks[own] else { return [Violation]() }
      let hidden = file.members.keys.reduce(into: file.local) { $0.formUnion(members[$1] ?? []) }
      var found: Set<String> = []
      return file.uses(of: module).compactMap { name, line in
        guard !hidden.contains(name), let places = declared[name], !places.contains(own),
          places.allSatisfy({ ranks[$0, default: -1] > rank }), found.insert(name).inserted
        else { return nil }
        return Violation(
          file: file.file, line: line, name: name, folder: own, upper: places.sorted()[0])
      }
    }
  }

  /// The folders of `files` that are not listed in `folders`, and those listed that have no file.
  static func differences(
    of files: [String], from folders: [String]
  ) -> (unlisted: Set<String>, empty: Set<String>) {
    let found = Set(files.map(folder(of:)))
    return (found.subtracting(folders), Set(folders).subtracting(found))
  }
}
