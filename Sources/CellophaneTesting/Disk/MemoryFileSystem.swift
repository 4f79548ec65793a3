public import Cellophane
internal import Synchronization

/// A file system in memory, every operation of which can be made to fail. Operations are counted from 1;
/// the count tells a test how many failures there are to try.
///
/// Its clock stands still but for one microsecond at each operation, so that no two uses are at the same
/// time, and for ``advance(by:)``.
public final class MemoryFileSystem: FileSystem {
  /// What goes wrong.
  public enum Fault: Hashable, Sendable {
    /// The operations of these numbers fail; what writes has then written its first half.
    case failures(ClosedRange<Int>, FileSystemError.Kind)
    /// Every operation fails and does nothing: an unmounted or read-only device.
    case outage(FileSystemError.Kind)
    /// The process dies after the operation of this number: all later ones fail and do nothing.
    case crash(after: Int)
    /// The process dies in the operation of this number: like ``failures(_:_:)``, then like ``crash(after:)``.
    case torn(at: Int)
  }

  /// What a power failure leaves of the file that was written last.
  public enum Tear: Sendable, CaseIterable {
    /// All of it: only the process died.
    case none
    /// Its length, but zeros from the middle on.
    case zeroed
    /// Its first half.
    case truncated
    /// Its name, but nothing in it.
    case emptied
  }

  /// A device that others write to as well.
  public struct Device: Hashable, Sendable {
    /// What it holds in all, in bytes. Files take whole blocks of 4 KB, names take nothing.
    public var capacity: Int
    /// What others have taken of it, in bytes; more than there is leaves no room until so much was removed.
    public var others: Int
    /// Whether others take whatever is free, after every operation.
    public var othersTakeAll: Bool

    /// A device.
    public init(capacity: Int, others: Int = 0, othersTakeAll: Bool = false) {
      self.capacity = capacity
      self.others = others
      self.othersTakeAll = othersTakeAll
    }
  }

  let state = Mutex(MemoryFileTree())
  let lock = Mutex(())
  let answersAtOnce: Bool

  /// An empty file system.
  ///
  /// - Parameter answersAtOnce: Whether ``FileDirectory/readAtOnce(_:atMost:)`` gives what is there, as a system does
  ///   that has the files in memory; else it is no operation, and every read waits for the device.
  public init(answersAtOnce: Bool = false) {
    self.answersAtOnce = answersAtOnce
  }

  /// Opens a directory; one that is made needs none above it.
  public func directory(at path: String, isMade: Bool) throws(FileSystemError) -> any FileDirectory {
    let number = try perform("open", path) { state, _ throws(FileSystemError) in
      if state.nodes[path] == nil, isMade { state.put(SparseBytes(), at: path, isDirectory: true) }
      guard let node = state.nodes[path], node.isDirectory else {
        throw FileSystemError(.notFound, operation: "open", path: path)
      }
      return node.number
    }
    return MemoryDirectory(path, number: number, in: self)
  }

  /// How many operations there were since it was made or since ``restart(tearing:)``.
  public var operations: Int { state.withLock { $0.operations } }

  /// How many names listings gave since it was made: what a real file system looks up one by one.
  public var listed: Int { state.withLock { $0.listed } }

  /// The files with their contents, by path.
  public var files: [String: [UInt8]] {
    state.withLock { $0.nodes.filter { !$0.value.isDirectory }.mapValues(\.bytes) }
  }

  /// What the files are on from now on; nil: on one without an end. Where there is no room a file is written as far as
  /// there is, or left as it was.
  public var device: Device? {
    get { state.withLock { $0.device } }
    set { state.withLock { $0.device = newValue } }
  }

  /// Sets what goes wrong from now on; nil: nothing.
  public func inject(_ fault: Fault?) {
    state.withLock { $0.fault = fault }
  }

  /// Begins a new process on what the last one left: counts from 1 again, and nothing goes wrong.
  public func restart(tearing tear: Tear = .none) {
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

  /// Moves the clock; backwards too, as a user may.
  public func advance(by duration: Duration) {
    state.withLock { $0.now += duration }
  }

  /// Puts a file with `bytes` at `path`, or takes away what is there, behind the back of who uses the file
  /// system: no operation, no fault.
  public func plant(_ bytes: [UInt8]?, at path: String) {
    state.withLock { state in
      if let bytes { state.put(SparseBytes([bytes]), at: path) } else { state.nodes[path] = nil }
    }
  }

  /// Puts an empty directory in the place of what is at `path`; no operation, no fault.
  public func plantDirectory(at path: String) {
    state.withLock { $0.put(SparseBytes(), at: path, isDirectory: true) }
  }

  /// Takes away `directory` and everything in it; no operation, no fault.
  public func vanish(_ directory: String) {
    state.withLock { state in
      state.nodes = state.nodes.filter { $0.key != directory && !$0.key.hasPrefix(directory + "/") }
    }
  }

  /// The operations that may stop half-way.
  private static let writing: Set<String> = ["write", "create"]

  /// How much of a write takes place.
  enum Share {
    case all, half

    func of(_ count: Int) -> Int { self == .all ? count : count / 2 }
  }

  /// Counts one operation and lets it happen, fail, or fail half-way.
  func perform<R: Sendable>(
    _ operation: String, _ path: String, _ effect: (inout MemoryFileTree, Share) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    try state.withLock { state throws(FileSystemError) in
      defer { state.settle() }
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
  /// The process that asked is dead; see ``MemoryFileSystem/Fault``.
  public static let crashed = Self.system(-1)
}
