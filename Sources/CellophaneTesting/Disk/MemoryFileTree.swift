internal import Cellophane

/// The files and the state of a ``MemoryFileSystem``.
struct MemoryFileTree {
  struct Node {
    /// Distinguishes a directory from a later one at the same path.
    var number: Int
    var contents = SparseBytes()
    var used: Duration
    var isDirectory = false

    /// The contents as an array, including all zeros.
    var bytes: [UInt8] {
      get { contents.all }
      set { contents = SparseBytes([newValue]) }
    }
  }

  var nodes: [String: Node] = [:]
  /// The number of the node that is claimed, by path.
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

  /// Returns how many of `count` bytes fit on the device when the file replaces one of `oldCount` bytes.
  func space(for count: Int, replacing oldCount: Int = 0) -> Int {
    guard let device else { return count }
    return min(count, max(0, device.capacity - device.others - occupied) + blocks(oldCount))
  }

  /// Gives all free space to other programs, if the device is set to do so.
  mutating func fillFreeSpace() {
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
