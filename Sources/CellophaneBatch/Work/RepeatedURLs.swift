internal import Cellophane
internal import Synchronization

/// The records whose URL an earlier record has.
///
/// They wait while the earlier record is loaded. Afterwards they take its result, which is kept for the latest records
/// only. Later ones are loaded again if the result matters to them: if there is an output, or if the load failed.
final class RepeatedURLs: Sendable {
  /// A record that has a result.
  final class Finished: Sendable {
    let result: BatchResult
    /// The loaded image; nil if the output does not need it again.
    let item: BatchWork.Item?

    init(_ result: BatchResult, _ item: BatchWork.Item?) { (self.result, self.item) = (result, item) }

    fileprivate var bytes: Int {
      result.weight + (item.map { $0.body.bytes.count + ($0.picture?.image.pixels.count ?? 0) } ?? 0)
    }
  }

  /// A record that waits for an earlier one.
  struct Waiting: Sendable {
    let record: ListRecord
    /// The time at which the record was read.
    let begun: Duration
  }

  enum Claim {
    /// No earlier record has the URL, or its result is not known any more.
    case isFirst
    /// The result follows that of the earlier record.
    case waits
    case repeats(Finished)
    /// An earlier record was loaded, and there is no output.
    case isLoaded
  }

  private struct State {
    var waiting: [SeenURLs.Hash: [Waiting]] = [:]
    var waitingBytes = 0
    /// The latest finished records. When they exceed their limit, they replace the older ones.
    var latest: [SeenURLs.Hash: Finished] = [:]
    var latestBytes = 0
    var older: [SeenURLs.Hash: Finished] = [:]

    mutating func keep(_ finished: Finished, for hash: SeenURLs.Hash) {
      latest[hash] = finished
      latestBytes += finished.bytes
      if latestBytes > RepeatedURLs.mostBytes { (older, latest, latestBytes) = (latest, [:], 0) }
    }
  }

  /// The maximum size of the waiting records, and of each part of the finished ones, in bytes. 16 MB: as much as the
  /// queues of all hosts. Beyond it, records are loaded again, which is correct and slower.
  private static let mostBytes = 16 << 20

  private let hasOutput: Bool
  private let loaded: SeenURLs
  private let state = Mutex(State())

  init(hasOutput: Bool, seed: UInt64) {
    self.hasOutput = hasOutput
    loaded = SeenURLs(seed: seed)
  }

  /// Claims `url` for a record.
  func claim(_ url: String, _ record: ListRecord, at now: Duration) -> Claim {
    let hash = loaded.hash(url)
    return state.withLock { state in
      if state.waiting[hash] != nil {
        let bytes = Self.bytes(of: record)
        guard state.waitingBytes + bytes <= Self.mostBytes else { return .isFirst }
        state.waitingBytes += bytes
        state.waiting[hash, default: []].append(Waiting(record: record, begun: now))
        return .waits
      }
      if let finished = state.latest[hash] ?? state.older[hash] { return .repeats(finished) }
      if !hasOutput, loaded.contains(hash) { return .isLoaded }
      state.waiting[hash] = []
      return .isFirst
    }
  }

  /// Finishes the first record with `url`. Returns the records that waited for it.
  func finish(_ url: String, _ finished: Finished) -> [Waiting] {
    let hash = loaded.hash(url)
    return state.withLock { state in
      let waiting = state.waiting.removeValue(forKey: hash) ?? []
      state.waitingBytes -= waiting.reduce(0) { $0 + Self.bytes(of: $1.record) }
      if hasOutput || finished.result.failure != nil {
        state.keep(finished, for: hash)
      } else {
        _ = loaded.add(hash)
      }
      return waiting
    }
  }

  /// Withdraws the claim of the first record with `url`, which is not loaded.
  func withdraw(_ url: String) {
    let hash = loaded.hash(url)
    state.withLock { state in
      // Records wait only for another claim of the URL, which is loaded.
      if state.waiting[hash]?.isEmpty == true { state.waiting[hash] = nil }
    }
  }

  private static func bytes(of record: ListRecord) -> Int {
    // 300: everything except the parts whose size the list determines.
    300 + record.url.utf8.count + record.otherFields.count
  }
}
