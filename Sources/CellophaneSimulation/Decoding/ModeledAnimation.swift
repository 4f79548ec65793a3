internal import Cellophane
internal import Synchronization

/// The frames of an animation in modeled time: decoded on the cores of all decodings, at most three ahead as in
/// `AnimationPlayback`, and shown at their times. All frames have the identity of the image.
struct ModeledAnimation: AsyncSequence {
  /// The time for which a frame is shown: 12.5 frames a second (assumed).
  static let delay = Duration.milliseconds(80)
  /// The number of frames that are decoded ahead.
  static let window = 3

  let picture: ModeledDecoder.Picture
  let frameTime: Duration
  let processor: ModeledProcessor
  let observers: RunObservers
  let timeline: Timeline
  /// The length of the run, at whose end the playback ends.
  let duration: Duration

  func makeAsyncIterator() -> Iterator { Iterator(animation: self) }

  struct Iterator: AsyncIteratorProtocol {
    private let animation: ModeledAnimation
    private var frames: FramesAhead?
    private var due: Duration?

    init(animation: ModeledAnimation) { self.animation = animation }

    mutating func next() async throws(LoadError) -> ModeledDecoder.Picture? {
      try await next(isolation: #isolation)
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LoadError) -> ModeledDecoder.Picture? {
      let timeline = animation.timeline
      if animation.observers.now >= animation.duration { return nil }
      // The first frame was decoded with the image.
      guard let due, let frames else {
        frames = FramesAhead(animation)
        self.due = timeline.now + ModeledAnimation.delay
        return animation.picture
      }
      try await frames.take()
      if due > timeline.now { try await timeline.pause(for: due - timeline.now) }
      let late = timeline.now - due
      animation.observers.note(.frameShown(late: late))
      // A late frame delays the next ones, as in `AnimationPlayback`.
      self.due = (late < .milliseconds(17) ? due : timeline.now) + ModeledAnimation.delay
      return animation.picture
    }
  }
}

/// The decoded frames of an animation that are not shown yet. Ends its work when it is released.
private final class FramesAhead: Sendable {
  private struct State {
    var ready = 0
    /// The consumer that waits for a frame, or the producer that waits for room.
    var consumer: OneShot<Void>?
    var producer: OneShot<Void>?
  }

  private let state: Shared
  private let work: Task<Void, Never>

  private final class Shared: Sendable {
    let state = Mutex(State())

    /// Waits until a frame is ready, and takes it.
    func take() async throws(LoadError) {
      while true {
        let signal = OneShot<Void>()
        let (isTaken, producer) = state.withLock { state -> (Bool, OneShot<Void>?) in
          if state.ready == 0 {
            state.consumer = signal
            return (false, nil)
          }
          state.ready -= 1
          return (true, state.producer.take())
        }
        producer?.settle(())
        if isTaken { return }
        await Self.wait(for: signal)
        if Task.isCancelled { throw .cancelled }
      }
    }

    /// Waits for room for a frame.
    func waitForRoom() async {
      let signal = OneShot<Void>()
      let hasRoom = state.withLock { state in
        if state.ready < ModeledAnimation.window { return true }
        state.producer = signal
        return false
      }
      if !hasRoom { await Self.wait(for: signal) }
    }

    func add() {
      state.withLock { state in
        state.ready += 1
        return state.consumer.take()
      }?.settle(())
    }

    private static func wait(for signal: OneShot<Void>) async {
      await withTaskCancellationHandler {
        await signal.value
      } onCancel: {
        signal.settle(())
      }
    }
  }

  init(_ animation: ModeledAnimation) {
    let state = Shared()
    self.state = state
    work = animation.timeline.spawn {
      while !Task.isCancelled {
        await state.waitForRoom()
        do throws(LoadError) {
          try await animation.processor.work(
            for: animation.frameTime, on: animation.picture.identity, animation.observers)
        } catch { return }
        state.add()
      }
    }
  }

  deinit { work.cancel() }

  /// Waits until a frame is ready, and takes it.
  func take() async throws(LoadError) { try await state.take() }
}
