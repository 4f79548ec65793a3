/// The folders of each module as layers, and a check of their order.
///
/// A file may use the types and functions of its folder and of the folders below it. Therefore no two folders
/// depend on each other, and a folder can become a module without code changes.
enum FolderRules {
  /// The folders of each module, from the bottom up. `.` is the folder of the module itself.
  static let layers: [String: [String]] = [
    "CellophaneHTTP": ["."],
    "CellophaneCore": [
      "Hashing", "Model", "System", "Concurrency", "Transfer", "Decoding", "Events", ".",
    ],
    "CellophaneDisk": [".", "Files", "Entries", "Ledger", "Cache"],
    "CellophaneCurl": [".", "Policy", "Waiting", "Queues", "Responses", "Loop"],
    "CellophaneS3": ["Requests", "Answers", "Access", "Transfer", "Client", "Uploads"],
    "CellophaneImages": [
      ".", "Compression", "Header", "Color", "Resizing", "Codecs", "Rows", "PNG", "JPEG", "Image",
      "Processing", "Placeholders", "Decoding", "Animation", "Metadata", "Encoding",
    ],
    "CellophaneAVIF": ["."],
    "CellophaneGIF": ["."],
    "CellophaneWebP": ["."],
    "CacheEviction": ["."],
    "Cellophane": [".", "Memory", "Scheduling", "Coalescing", "Loader", "Slots", "Prefetch"],
    "CellophaneScreens": ["Logic", "Bridges", "Input", "State"],
    "CellophanePublishers": ["Publishing", "Receiving", "Mapping", "."],
    "CellophaneUI": ["."],
    "CellophaneTesting": ["Time", "Transport", "Disk", "World"],
    "CellophaneNetwork": ["."],
    "CellophaneTestOrigin": ["."],
    "CellophaneBatch": [
      "JSON", "System", "OptOut", "Results", "Input", "Seen", "Output", "Work", "Files", "ObjectStorage",
      "Politeness", "Progress",
      "Run",
    ],
    "CellophaneResults": [
      ".", "Values", "Statistics", "List", "Gestures", "Prefetch", "Configuration", "Pictures", "Events",
      "Origin", "Decoding", "Eviction", "Loaders", "RunTraces", "Screen", "Recording", "Metrics", "Estimates",
      "Results",
      "Validation", "Comparison", "Requests", "Studies", "Advice", "Network",
    ],
    "CellophaneSimulation": [
      ".", "Network", "Pictures", "Items", "Origin", "Decoding", "Transfers", "Loaders", "Screen", "World",
      "Baselines", "Trial", "Scoring", "Validation", "Studies",
    ],
    "CellophaneReport": [
      ".", "Tables", "HTML", "Figures", "Results", "Studies", "Trace", "Stored", "Formats",
    ],
    "CellophaneBrowser": ["Terminal", "Browser"],
    "CellophaneTool": ["Values", "Output", "Prefetch", "Live", "Options", "Browse", "Commands", "."],
  ]

  /// A use of a name that a higher folder declares.
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

  /// Returns the folder of `file`, a path within its module.
  static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
  }

  /// Returns the uses in `sources` of names from higher folders, one for each name and file.
  ///
  /// The paths in `sources` are relative to `module`. `folders` are listed from the bottom up. The check reads names
  /// without types, so it does not find members that an extension declares.
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
      let current = folder(of: file.file)
      guard let rank = ranks[current] else { return [Violation]() }
      let hidden = file.members.keys.reduce(into: file.local) { $0.formUnion(members[$1] ?? []) }
      var found: Set<String> = []
      return file.uses(of: module).compactMap { name, line in
        guard !hidden.contains(name), let owners = declared[name], !owners.contains(current),
          owners.allSatisfy({ ranks[$0, default: -1] > rank }), found.insert(name).inserted
        else { return nil }
        return Violation(
          file: file.file, line: line, name: name, folder: current, upper: owners.sorted()[0])
      }
    }
  }

  /// Returns the folders of `files` that `folders` does not list, and the listed folders without a file.
  static func differences(
    of files: [String], from folders: [String]
  ) -> (unlisted: Set<String>, empty: Set<String>) {
    let found = Set(files.map(folder(of:)))
    return (found.subtracting(folders), Set(folders).subtracting(found))
  }
}
