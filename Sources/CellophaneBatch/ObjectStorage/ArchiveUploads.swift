internal import Cellophane
internal import Synchronization

/// Sends archives in the background, one after the other.
final class ArchiveUploads: Sendable {
  private struct State {
    var archives: [StagedArchive] = []
    var isRunning = false
    var failure: LoadError?
    var waiters: [OneShot<Void>] = []
  }

  /// The maximum number of archives that wait or are being sent, before records wait for them. 2: one is being sent while
  /// another fills up, and a slow network does not fill the disk.
  static let mostArchives = 2

  private let timeline: Timeline
  private let send: @Sendable (StagedArchive) async throws(LoadError) -> Void
  private let state = Mutex(State())

  /// - Parameter send: Sends an archive and removes it.
  init(timeline: Timeline, send: @escaping @Sendable (StagedArchive) async throws(LoadError) -> Void) {
    (self.timeline, self.send) = (timeline, send)
  }

  func add(_ archive: StagedArchive) {
    let isFirst = state.withLock { state in
      state.archives.append(archive)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    // A separate task: a cancelled record must not end the upload of the samples of others.
    if isFirst { timeline.spawn { await self.run() } }
  }

  /// Waits until at most `count` archives are left.
  ///
  /// - Throws: The error that ended an upload.
  func wait(for count: Int) async throws(LoadError) {
    while true {
      let slot = OneShot<Void>()
      let isWaiting = try state.withLock { state throws(LoadError) in
        if let failure = state.failure { throw failure }
        if state.archives.count <= count { return false }
        state.waiters.append(slot)
        return true
      }
      guard isWaiting else { return }
      await slot.value
    }
  }

  private func run() async {
    while let archive = next() {
      do throws(LoadError) {
        try await send(archive)
        end { $0.archives.removeFirst() }
      } catch {
        // The other archives stay in the directory too, for the next run.
        end { $0.failure = error }
      }
    }
  }

  private func next() -> StagedArchive? {
    state.withLock { state in
      guard state.failure == nil, let archive = state.archives.first else {
        state.isRunning = false
        return nil
      }
      return archive
    }
  }

  private func end(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.settle(()) }
  }
}
