internal import Cellophane

/// What a ``MemoryFileSystem`` holds.
struct MemoryFileTree {
  struct Node {
    /// Tells a directory from another one that was made later at its path.
    var number: Int
    var bytes: [UInt8] = []
    var used: Duration
    var isDirectory = false
  }

  var nodes: [String: Node] = [:]
  /// By path, who claims a file.
  var claims: [String: Int] = [:]
  var numbers = 0
  var operations = 0
  var listed = 0
  var fault: MemoryFileSystem.Fault?
  var lastWritten: String?
  var now = Duration.zero

  func file(_ path: String, for operation: String) throws(FileSystemError) -> Node {
    guard let node = nodes[path] else { throw FileSystemError(.notFound, operation: operation, path: path) }
    guard !node.isDirectory else { throw FileSystemError(.notAFile, operation: operation, path: path) }
    return node
  }

  mutating func put(_ bytes: [UInt8], at path: String, isDirectory: Bool = false) {
    numbers += 1
    nodes[path] = Node(number: numbers, bytes: bytes, used: now, isDirectory: isDirectory)
  }
}
