/// A reused place on screen, usually a part of a cell, that shows the value of its newest request.
///
/// Not `Sendable`: it belongs to the actor that created it, `MainActor` or any other, and calls `display` in that actor's
/// isolation. Each result is checked there at delivery: when the slot is bound to another request by then, the result is
/// discarded and counted, never shown.
public final class Slot<Decoder: ResourceDecoder> {
  /// The type of the values.
  package typealias Value = Decoder.Value

  /// The content of the slot while a new request loads.
  public enum Placeholder: Sendable {
    /// Nothing: the display draws its placeholder.
    case blank
    /// The value of the previous request, until the new one arrives.
    case previous
  }

  /// The present state.
  public private(set) var state = SlotState<Decoder.Value>.empty
  /// The request to which the slot is bound.
  public private(set) var request: Request<Decoder.Options>?

  private let loader: ResourceLoader<Decoder>
  private let placeholder: Placeholder
  private let showsPreviews: Bool
  private let display: (SlotState<Value>) -> Void
  private var binding: UInt64 = 0
  private var work: Task<Void, Never>?
  private var priority: LivePriority?
  /// The value that is shown while the bound request loads, instead of `placeholder`.
  private var standIn: Value?
  /// The running load; nil if none runs.
  private var record: LoadRecord<Value>?
  private let player: SlotPlayer<Value>

  /// Creates a slot that shows values of `loader`.
  ///
  /// - Parameters:
  ///   - showsPreviews: Whether to show previews of a slow load, as ``SlotState/preview(_:)``; see
  ///     ``ResourceLoader/load(_:onPreview:)``.
  ///   - display: Called with each new state, in the isolation of the caller of ``show(_:placeholder:isolation:)``.
  public init(
    _ loader: ResourceLoader<Decoder>, placeholder: Placeholder = .blank, showsPreviews: Bool = false,
    display: @escaping (SlotState<Decoder.Value>) -> Void = { _ in }
  ) {
    self.loader = loader
    self.placeholder = placeholder
    self.showsPreviews = showsPreviews
    self.display = display
    player = SlotPlayer(loader.timeline)
  }

  deinit {
    work?.cancel()
    player.stop()
  }

  /// The progress of the running load; it ends with the load. Ends at once if nothing loads.
  public var progress: LoadProgressUpdates {
    record?.progress ?? LoadProgressUpdates(loader.timeline) { nil }
  }

  /// Whether an animation is paused, for example while its cell is out of sight. It keeps its memory, and continues with
  /// the next frame.
  public var isPaused: Bool {
    get { player.isPaused }
    set { player.isPaused = newValue }
  }

  /// Binds the slot to `request`, or to nothing, and cancels the previous request.
  ///
  /// A value in memory is shown before this returns, without a placeholder. Otherwise the state becomes loading and the load
  /// starts. A stale value that answers while its origin is asked (`stale-while-revalidate`) is replaced by a newer one, as
  /// long as the slot is bound to the request.
  ///
  /// Showing the same request again changes only its priority, while it loads and after it is shown. After a failure it
  /// loads again, and a reload loads each time.
  ///
  /// An animation of ``AnimatedImageDecoder`` is played: each frame is a shown state.
  ///
  /// - Parameter placeholder: The value to show while the request loads and after a failure, for example a decoded
  ///   ``ThumbHash``. It is evaluated only if the request loads. Nil for the placeholder of the slot.
  @specialized(where Decoder == ImageDecoder)
  public func show(
    _ request: Request<Decoder.Options>?, placeholder: @autoclosure () -> Decoder.Value? = nil,
    isolation: isolated any Actor = #isolation
  ) {
    let request = request.map(loader.named)
    if let request, isShowing(request) {
      priority?.change(to: request.priority)
      return
    }
    work?.cancel()
    player.stop()
    (work, priority, record, standIn) = (nil, nil, nil, nil)
    binding += 1
    self.request = request
    guard let request else { return become(.empty) }

    // Fast path
    if let loaded = loader.inMemory(request) {
      follow(loaded, of: request, isolation: isolation)
      return present(loaded.value, from: .memory, isolation: isolation)
    }

    // Slow path. The load starts before the call of `display`, which may bind the slot to another request.
    load(request, isolation: isolation)
    standIn = placeholder()
    become(.loading(previous: kept))
  }

  /// Loads the bound request again after a failure.
  public func retry(isolation: isolated any Actor = #isolation) {
    guard case .failed = state, let request else { return }
    let standIn = standIn
    show(request, placeholder: standIn, isolation: isolation)
  }

  private func load(_ request: Request<Decoder.Options>, isolation: isolated any Actor) {
    let binding = binding
    let priority = LivePriority(request.priority)
    self.priority = priority
    let record = LoadRecord<Value>(loader.timeline)
    self.record = record
    let previews = showsPreviews ? showPreviews(isolation: isolation) : nil
    var onPreview: (@Sendable (Value) -> Void)?
    if let previews { onPreview = { _ = previews.yield($0) } }
    work = loader.timeline.spawn(priority: request.priority.taskPriority) { [weak self, loader, onPreview] in
      // Captured so that the task stays in the owner's isolation.
      _ = isolation
      let result: Result<Loaded<Value>, LoadError>
      do throws(LoadError) {
        result = .success(
          try await loader.load(request, live: priority, onPreview: onPreview, record: record))
      } catch {
        result = .failure(error)
      }
      record.end(with: result)
      if let self, self.record === record { self.record = nil }
      previews?.finish()
      guard let self, self.binding == binding else {
        if case .success = result { loader.events.emit(.staleDropped(request.key.response)) }
        return
      }
      // Before the call of `display`, like the load.
      if case .success(let loaded) = result { follow(loaded, of: request, isolation: isolation) }
      deliver(result, isolation: isolation)
    }
  }

  /// Replaces `loaded`, which has an expiry, by newer versions as long as the slot is bound to `request`.
  private func follow(
    _ loaded: Loaded<Value>, of request: Request<Decoder.Options>, isolation: isolated any Actor
  ) {
    guard let version = loaded.version else { return }
    work = Self.follow(
      request, after: version, in: OwnedReference(self, isolation: isolation), binding: binding, loader)
  }

  /// Starts the task outside of the actor, which it does not retain while it waits.
  private nonisolated static func follow(
    _ request: Request<Decoder.Options>, after version: UInt64, in slot: OwnedReference<Slot>,
    binding: UInt64, _ loader: ResourceLoader<Decoder>
  ) -> Task<Void, Never> {
    loader.timeline.spawn {
      var version = version
      while let newer = await loader.newer(than: version, for: request), let next = newer.version {
        version = next
        let isBound = await slot.run { slot, isolation in
          guard slot.binding == binding else { return false }
          slot.present(newer.value, from: newer.source, isolation: isolation)
          return true
        }
        if !isBound { return }
      }
    }
  }

  /// Returns a stream whose elements the slot shows as previews, as long as it waits for the value of this request.
  private func showPreviews(isolation: isolated any Actor) -> AsyncStream<Value>.Continuation {
    let binding = binding
    let (previews, stream) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    loader.timeline.spawn { [weak self] in
      _ = isolation
      for await preview in previews {
        guard let self, self.binding == binding, state.isLoading else { return }
        become(.preview(preview))
      }
    }
    return stream
  }

  private func deliver(_ result: Result<Loaded<Value>, LoadError>, isolation: isolated any Actor) {
    switch result {
    case .success(let loaded): present(loaded.value, from: loaded.source, isolation: isolation)
    // Only this slot cancels its work, when it is bound to another request. A cancelled owner leaves the state
    // unchanged.
    case .failure(let error) where error.kind == .cancelled: break
    case .failure(let error): become(.failed(error, previous: kept))
    }
  }

  /// Shows `value`, and the values that follow it in time.
  private func present(_ value: Value, from source: Source, isolation: isolated any Actor) {
    standIn = nil
    // Before the call of `display`, like the load.
    player.play(loader.decoder.playback(of: value, on: loader.timeline), isolation: isolation) {
      [weak self] in
      self?.become(.shown($0, from: source))
    }
    become(.shown(value, from: source))
  }

  /// The value to keep during a load and after its failure.
  private var kept: Value? { standIn ?? (placeholder == .previous ? state.value : nil) }

  private func isShowing(_ new: Request<Decoder.Options>) -> Bool {
    guard let request, request.key == new.key, request.cachePolicy == new.cachePolicy else { return false }
    switch state {
    case .failed: return false
    case .shown: return new.cachePolicy != .reload
    case .empty, .loading, .preview: return true
    }
  }

  private func become(_ new: SlotState<Value>) {
    state = new
    display(new)
  }
}
