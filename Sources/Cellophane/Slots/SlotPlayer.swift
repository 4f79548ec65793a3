/// The playback of a slot's value. Belongs to the actor of the slot.
final class SlotPlayer<Value: Sendable> {
  private let timeline: Timeline
  private var work: Task<Void, Never>?
  /// Settled at the end of a pause, for the playback that waits for it.
  private var resumption: OneShot<Void>?

  /// Whether the playback waits before its next value.
  var isPaused = false {
    didSet {
      if !isPaused { resumption.take()?.settle(()) }
    }
  }

  init(_ timeline: Timeline) { self.timeline = timeline }

  /// Shows the values of `playback` except the first one, which is shown already. Replaces the previous playback. An error
  /// ends it.
  func play(
    _ playback: (any AsyncSequence<Value, LoadError> & Sendable)?, isolation: isolated any Actor,
    show: @escaping (Value) -> Void
  ) {
    stop()
    guard let playback else { return }
    work = timeline.spawn { [weak self] in
      var values: any AsyncIteratorProtocol<Value, LoadError> = playback.makeAsyncIterator()
      var isFirst = true
      while let value = try? await values.next(isolation: isolation), !Task.isCancelled {
        if !isFirst {
          await self?.waitForResumption(isolation: isolation)
          if Task.isCancelled { return }
          show(value)
        }
        isFirst = false
      }
    }
  }

  /// Ends the playback.
  func stop() {
    work?.cancel()
    work = nil
    resumption.take()?.settle(())
  }

  private func waitForResumption(isolation: isolated any Actor) async {
    while isPaused, !Task.isCancelled {
      let resumption = OneShot<Void>()
      self.resumption = resumption
      await withTaskCancellationHandler {
        await resumption.value
      } onCancel: {
        resumption.settle(())
      }
    }
  }
}
