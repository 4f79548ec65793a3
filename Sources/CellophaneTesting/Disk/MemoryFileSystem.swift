public import Cellophane
internal import Synchronization

/// The files of a disk cache in memory, which can fail in every operation; see ``LoaderWorld/files``.
///
/// Operations are counted from 1. A test reads the count of a run without faults, and then repeats the run with a fault
/// in each operation.
///
/// The clock advances by one microsecond with each operation, so that every use of a file has a different time. It does
/// not advance otherwise.
public final class MemoryFileSystem: FileSystem {
  /// A fault to inject.
  public enum Fault: Hashable, Sendable {
    /// The operations with these numbers fail. A write stores its first half.
    case failures(ClosedRange<Int>, FileSystemError.Kind)
    /// Every operation fails without any effect, as on an unmounted or read-only device.
    case outage(FileSystemError.Kind)
    /// The process dies after the operation with this number. Every later operation fails without any effect.
    case crash(after: Int)
    /// The process dies in the operation with this number: a write stores its first half, and every later operation
    /// fails without any effect.
    case torn(at: Int)
  }

  /// The state in which a power failure leaves the file that was written last.
  public enum Tear: Sendable, CaseIterable {
    /// Complete: only the process died.
    case none
    /// Its original length, with zeros in the second half.
    case zeroed
    /// The first half.
    case truncated
    /// An empty file.
    case emptied
  }

  /// A device that other programs share.
  public struct Device: Hashable, Sendable {
    /// The capacity in bytes. A file occupies whole blocks of 4 KB; names occupy nothing.
    public var capacity: Int
    /// The bytes that other programs occupy. If these and the files exceed the capacity, a new file fits only after the
    /// excess has been removed.
    public var others: Int
    /// Whether other programs occupy all free space after each operation.
    public var othersTakeAll: Bool

    /// Creates a device.
    public init(capacity: Int, others: Int = 0, othersTakeAll: Bool = false) {
      self.capacity = capacity
      self.others = others
      self.othersTakeAll = othersTakeAll
    }
  }

  let state = Mutex(MemoryFileTree())
  let lock = Mutex(())
  let answersAtOnce: Bool

  /// Creates an empty file system.
  ///
  /// - Parameter answersAtOnce: Whether a read returns at once, as on a system that has the files in memory. Otherwise
  ///   every read waits for the device.
  package init(answersAtOnce: Bool = false) {
    self.answersAtOnce = answersAtOnce
  }

  /// Opens a directory. A new directory needs no parent directory.
  package func directory(at path: String, creating: Bool) throws(FileSystemError) -> any FileDirectory {
    let number = try perform("open", path) { state, _ throws(FileSystemError) in
      if state.nodes[path] == nil, creating { state.put(SparseBytes(), at: path, isDirectory: true) }
      guard let node = state.nodes[path], node.isDirectory else {
        throw FileSystemError(.notFound, operation: "open", path: path)
      }
      return node.number
    }
    return MemoryDirectory(path, number: number, in: self)
  }

  /// The number of operations since the file system was created, or since the restart of its world.
  public var operations: Int { state.withLock { $0.operations } }

  /// The number of names that listings returned. A real file system looks up each of them.
  package var listed: Int { state.withLock { $0.listed } }

  /// The contents of the files, by path.
  public var files: [String: [UInt8]] {
    state.withLock { $0.nodes.filter { !$0.value.isDirectory }.mapValues(\.bytes) }
  }

  /// The device of the files; nil for unlimited space. Without enough room, a new file is written up to the free space,
  /// and an existing file keeps its contents.
  public var device: Device? {
    get { state.withLock { $0.device } }
    set { state.withLock { $0.device = newValue } }
  }

  /// Sets the fault for the following operations; nil for none.
  public func inject(_ fault: Fault?) {
    state.withLock { $0.fault = fault }
  }

  /// Starts a new process on the files that the last one left. Removes the fault, and counts operations from 1 again.
  package func restart(tearing tear: Tear = .none) {
    state.withLock { state in
      state.fault = nil
      state.operations = 0
      state.claims = [:]
      guard let path = state.lastWritten, let count = state.nodes[path]?.contents.count else { return }
      switch tear {
      case .none: break
      case .zeroed:
        state.nodes[path]?.bytes.replaceSubrange(
          (count / 2)..., with: repeatElement(0, count: count - count / 2))
      case .truncated: state.nodes[path]?.bytes.removeLast(count - count / 2)
      case .emptied: state.nodes[path]?.bytes = []
      }
    }
  }

  /// Advances the clock. A negative duration sets it back, as a user may do.
  package func advance(by duration: Duration) {
    state.withLock { $0.now += duration }
  }

  /// Creates or replaces the file at `path`, or removes it when `bytes` is nil, as another program would. Counts as no
  /// operation and never fails.
  public func plant(_ bytes: [UInt8]?, at path: String) {
    state.withLock { state in
      if let bytes { state.put(SparseBytes([bytes]), at: path) } else { state.nodes[path] = nil }
    }
  }

  /// Replaces the file or directory at `path` with an empty directory. Counts as no operation and never fails.
  package func plantDirectory(at path: String) {
    state.withLock { $0.put(SparseBytes(), at: path, isDirectory: true) }
  }

  /// Removes `directory` and its contents. Counts as no operation and never fails.
  package func vanish(_ directory: String) {
    state.withLock { state in
      state.nodes = state.nodes.filter { $0.key != directory && !$0.key.hasPrefix(directory + "/") }
    }
  }

  /// The operations that a fault interrupts after half of their bytes.
  private static let writing: Set<String> = ["write", "create"]

  /// The part of a write that is performed.
  enum Share {
    case all, half

    func of(_ count: Int) -> Int { self == .all ? count : count / 2 }
  }

  /// Counts one operation, and performs it, fails, or performs half of it and fails.
  func perform<R: Sendable>(
    _ operation: String, _ path: String, _ effect: (inout MemoryFileTree, Share) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    try state.withLock { state throws(FileSystemError) in
      defer { state.fillFreeSpace() }
      state.operations += 1
      state.now += .microseconds(1)
      switch state.fault {
      case .outage(let kind):
        throw FileSystemError(kind, operation: operation, path: path)
      case .crash(after: let last) where state.operations > last:
        throw FileSystemError(.crashed, operation: operation, path: path)
      case .torn(at: let number) where state.operations > number:
        throw FileSystemError(.crashed, operation: operation, path: path)
      case .torn(at: state.operations):
        if Self.writing.contains(operation) { _ = try effect(&state, .half) }
        throw FileSystemError(.crashed, operation: operation, path: path)
      case .failures(let numbers, let kind) where numbers.contains(state.operations):
        if Self.writing.contains(operation) { _ = try effect(&state, .half) }
        throw FileSystemError(kind, operation: operation, path: path)
      default:
        return try effect(&state, .all)
      }
    }
  }
}

extension FileSystemError.Kind {
  /// The process has died; see ``MemoryFileSystem/Fault``.
  package static let crashed = Self.system(-1)
}
