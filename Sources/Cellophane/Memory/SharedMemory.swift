internal import Synchronization

/// The memory that all caches without a separate limit share in a process. A full memory evicts from the cache that
/// holds most.
final class SharedMemory: Sendable {
  /// A cache that shares the memory.
  protocol Member: AnyObject, Sendable {
    /// The bytes of its values.
    var cost: Int { get }
    /// Evicts values until at most `cost` bytes remain.
    func trim(to cost: Int)
  }

  private struct Reference {
    weak let member: (any Member)?
  }

  /// The memory of this process.
  static let ofProcess = SharedMemory(limit: MemoryCacheLimit.standard)

  /// The maximum of the bytes of all members.
  let limit: Int
  private let references = Mutex<[Reference]>([])

  init(limit: Int) { self.limit = limit }

  /// Adds `member`, which is not retained.
  func add(_ member: some Member) {
    references.withLock { references in
      references.removeAll { $0.member == nil }
      references.append(Reference(member: member))
    }
  }

  /// Evicts values until all members together are within the limit. O(members) without eviction.
  func relieve() {
    let members = references.withLock { $0.compactMap(\.member) }
    while true {
      let costs = members.map(\.cost)
      let excess = costs.reduce(0, +) - limit
      guard excess > 0, let largest = costs.indices.max(by: { costs[$0] < costs[$1] }) else { return }
      members[largest].trim(to: max(0, costs[largest] - excess))
    }
  }
}

extension MemoryCache: SharedMemory.Member {}
