internal import Cellophane
internal import Synchronization

/// A directory of a ``MemoryFileSystem``.
final class MemoryDirectory: FileDirectory {
  private let files: MemoryFileSystem
  private let path: String
  private let number: Int

  init(_ path: String, number: Int, in files: MemoryFileSystem) {
    self.files = files
    self.path = path
    self.number = number
  }

  var now: Duration { files.state.withLock { $0.now } }

  var isInPlace: Bool { files.state.withLock { $0.nodes[path]?.number == number } }

  func read(_ name: String, atMost limit: Int) throws(FileSystemError) -> FileContents {
    try perform("read", name) { state, path, _ throws(FileSystemError) in
      let node = try state.file(path, for: "read")
      guard node.contents.count <= limit else {
        throw FileSystemError(.tooLarge, operation: "read", path: path)
      }
      return FileContents(bytes: node.bytes, used: node.used)
    }
  }

  func readCached(_ name: String, atMost limit: Int) -> FileContents? {
    files.answersAtOnce ? try? read(name, atMost: limit) : nil
  }

  func open(_ name: String) throws(FileSystemError) -> any OpenFile {
    let node = try perform("read", name) { state, path, _ throws(FileSystemError) in
      try state.file(path, for: "read")
    }
    return MemoryOpenFile(node, path: path(name), in: files)
  }

  func entry(_ name: String) throws(FileSystemError) -> FileEntry {
    try perform("read", name) { state, path, _ throws(FileSystemError) in
      guard let node = state.nodes[path] else {
        throw FileSystemError(.notFound, operation: "read", path: path)
      }
      return FileEntry(name: name, node)
    }
  }

  /// Writes the file. On a fault it writes half of it, on a full device the part that fits, and then fails.
  func create(_ name: String, _ parts: [[UInt8]]) throws(FileSystemError) {
    try perform("create", name) { state, path, share throws(FileSystemError) in
      guard state.nodes[path] == nil else {
        throw FileSystemError(.exists, operation: "create", path: path)
      }
      let contents = SparseBytes(parts)
      let count = share.of(contents.count)
      let space = state.space(for: count)
      state.put(
        space == contents.count ? contents : SparseBytes([Array(contents.all.prefix(space))]), at: path)
      state.lastWritten = path
      guard space == count else { throw FileSystemError(.full, operation: "write", path: path) }
    }
  }

  /// Renames the file, or fails without any effect.
  func rename(_ name: String, to newName: String) throws(FileSystemError) -> Int? {
    let newPath = path(newName)
    return try perform("rename", name) { state, path, _ throws(FileSystemError) in
      let node = try state.file(path, for: "rename")
      if state.nodes[newPath]?.isDirectory == true {
        throw FileSystemError(.notAFile, operation: "rename", path: path)
      }
      state.nodes[path] = nil
      let replaced = state.nodes.updateValue(node, forKey: newPath)
      if state.lastWritten == path { state.lastWritten = newPath }
      return replaced?.contents.count
    }
  }

  func remove(_ name: String) throws(FileSystemError) {
    try perform("remove", name) { state, path, _ throws(FileSystemError) in
      guard state.nodes.removeValue(forKey: path) != nil else {
        throw FileSystemError(.notFound, operation: "remove", path: path)
      }
    }
  }

  func setUsed(_ name: String, at time: Duration) throws(FileSystemError) {
    try perform("date", name) { state, path, _ throws(FileSystemError) in
      _ = try state.file(path, for: "date")
      state.nodes[path]?.used = time
    }
  }

  func list() throws(FileSystemError) -> any FileListing {
    let directory = path(".").dropLast()
    let names = try perform("list", ".") { state, _, _ throws(FileSystemError) in
      state.nodes.keys.filter { $0.hasPrefix(directory) }.sorted()
    }
    return MemoryListing(names.map { String($0.dropFirst(directory.count)) }, of: self)
  }

  /// Counts as two operations: one to take the lock, and one to replace the contents, which a fault may interrupt.
  func withLock<R: Sendable>(
    _ name: String, creating: Bool, waits: Bool,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    try files.lock.withLock { _ throws(FileSystemError) in
      let contents = try perform("lock", name) { state, path, _ throws(FileSystemError) in
        if state.nodes[path] == nil, creating { state.put(SparseBytes(), at: path) }
        return Array(try state.file(path, for: "lock").bytes.prefix(64))
      }
      return try body(contents) { bytes throws(FileSystemError) in try replace(name, with: bytes) }
    }
  }

  func claim(_ name: String, creating: Bool) throws(FileSystemError) -> (any FileClaim)? {
    try perform("claim", name) { state, path, _ throws(FileSystemError) in
      if state.nodes[path] == nil, creating { state.put(SparseBytes(), at: path) }
      let node = try state.file(path, for: "claim")
      guard state.claims[path] != node.number else { return nil }
      state.claims[path] = node.number
      return MemoryClaim(name, number: node.number, in: self)
    }
  }

  /// Replaces the contents. A fault may interrupt it after half of the bytes.
  fileprivate func replace(_ name: String, with bytes: [UInt8]) throws(FileSystemError) {
    try perform("write", name) { state, path, share throws(FileSystemError) in
      let oldCount = try state.file(path, for: "write").contents.count
      guard state.space(for: bytes.count, replacing: oldCount) == bytes.count else {
        throw FileSystemError(.full, operation: "write", path: path)
      }
      state.nodes[path]?.bytes = Array(bytes.prefix(share.of(bytes.count)))
      state.nodes[path]?.used = state.now
      state.lastWritten = path
    }
  }

  fileprivate func release(_ name: String, number: Int) {
    let path = path(name)
    files.state.withLock { state in
      if state.claims[path] == number { state.claims[path] = nil }
    }
  }

  fileprivate func entries(_ names: ArraySlice<String>) throws(FileSystemError) -> [FileEntry] {
    try perform("list", ".") { state, _, _ throws(FileSystemError) in
      state.listed += names.count
      return names.compactMap { name in state.nodes[path(name)].map { FileEntry(name: name, $0) } }
    }
  }

  private func path(_ name: String) -> String { path + "/" + name }

  /// Performs one operation in this directory. Fails when the directory was removed or replaced.
  private func perform<R: Sendable>(
    _ operation: String, _ name: String,
    _ effect: (inout MemoryFileTree, String, MemoryFileSystem.Share) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    let path = path(name)
    return try files.perform(operation, path) { state, share throws(FileSystemError) in
      guard state.nodes[self.path]?.number == number else {
        throw FileSystemError(.notFound, operation: operation, path: path)
      }
      return try effect(&state, path, share)
    }
  }
}

/// A snapshot of a file, taken when it was opened.
private final class MemoryOpenFile: OpenFile {
  var size: Int { node.contents.count }
  var used: Duration { node.used }
  private let node: MemoryFileTree.Node
  private let path: String
  private let files: MemoryFileSystem

  init(_ node: MemoryFileTree.Node, path: String, in files: MemoryFileSystem) {
    (self.node, self.path, self.files) = (node, path, files)
  }

  func read(_ count: Int, at offset: Int) throws(FileSystemError) -> [UInt8] {
    try files.perform("read", path) { _, _ throws(FileSystemError) in
      Array(node.bytes.dropFirst(offset).prefix(count))
    }
  }
}

/// The names in a directory, taken when the listing began.
private final class MemoryListing: FileListing {
  private var names: ArraySlice<String>
  private let directory: MemoryDirectory

  init(_ names: [String], of directory: MemoryDirectory) {
    self.names = names[...]
    self.directory = directory
  }

  func next(_ count: Int) throws(FileSystemError) -> [FileEntry] {
    defer { names = names.dropFirst(count) }
    return try directory.entries(names.prefix(count))
  }
}

/// A claim that ends when the object is released, or with ``MemoryFileSystem/restart(tearing:)``.
private final class MemoryClaim: FileClaim {
  private let name: String
  private let number: Int
  private let directory: MemoryDirectory

  init(_ name: String, number: Int, in directory: MemoryDirectory) {
    self.name = name
    self.number = number
    self.directory = directory
  }

  func replace(with contents: [UInt8]) throws(FileSystemError) {
    try directory.replace(name, with: contents)
  }

  deinit { directory.release(name, number: number) }
}

extension FileEntry {
  fileprivate init(name: String, _ node: MemoryFileTree.Node) {
    self.init(name: name, size: node.contents.count, used: node.used, isRegular: !node.isDirectory)
  }
}
