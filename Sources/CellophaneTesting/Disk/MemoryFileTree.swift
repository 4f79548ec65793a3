internal import Cellophane

/// What a ``MemoryFileSystem`` holds.
struct MemoryFileTree {
  struct Node {
    var bytes: [UInt8] = []
    var modified: Duration
    var isDirectory = false
  }

  var nodes: [String: Node] = [:]
  var operations = 0
  var temporaries = 0
  var fault: MemoryFileSystem.Fault?
  var lastWritten: String?
  var now = Duration.zero

  func file(_ path: String, for operation: String) throws(FileSystemError) -> Node {
    guard let node = nodes[path] else { throw FileSystemError(.notFound, operation: operation, path: path) }
    guard !node.isDirectory else { throw FileSystemError(.notAFile, operation: operation, path: path) }
    return node
  }

  func requireParent(of path: String, for operation: String) throws(FileSystemError) {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard nodes[parent]?.isDirectory == true else {
      throw FileSystemError(.notFound, operation: operation, path: path)
    }
  }
}
