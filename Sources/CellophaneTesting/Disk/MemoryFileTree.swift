internal import Cellophane

/// What a ``MemoryFileSystem`` holds.
struct MemoryFileTree {
  struct Node {
    /// Tells a directory from another one that was made later at its path.
    var number: Int
    var contents = SparseBytes()
    var used: Duration
    var isDirectory = false

    /// The contents, which take their memory here.
    var bytes: [UInt8] {
      get { contents.all }
      set { contents = SparseBytes([newValue]) }
    }
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
  var device: MemoryFileSystem.Device?

  func file(_ path: String, for operation: String) throws(FileSystemError) -> Node {
    guard let node = nodes[path] else { throw FileSystemError(.notFound, operation: operation, path: path) }
    guard !node.isDirectory else { throw FileSystemError(.notAFile, operation: operation, path: path) }
    return node
  }

  /// How many bytes of a file of `count` find room on the device in place of one of `former`.
  func room(for count: Int, inPlaceOf former: Int = 0) -> Int {
    guard let device else { return count }
    return min(count, max(0, device.capacity - device.others - occupied) + blocks(former))
  }

  /// Lets others take what is free, if they do.
  mutating func settle() {
    guard var device, device.othersTakeAll else { return }
    device.others = max(device.others, device.capacity - occupied)
    self.device = device
  }

  private var occupied: Int { nodes.values.reduce(0) { $0 + blocks($1.contents.count) } }

  private func blocks(_ count: Int) -> Int { (count + 4_095) & ~4_095 }

  mutating func put(_ contents: SparseBytes, at path: String, isDirectory: Bool = false) {
    numbers += 1
    nodes[path] = Node(number: numbers, contents: contents, used: now, isDirectory: isDirectory)
  }
}
