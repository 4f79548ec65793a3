/// One reusable place on screen. Shows the newest request and forgets the rest.
///
/// Not `Sendable`: it belongs to the actor that made it, `MainActor` or any other, and calls `display` in that
/// actor's isolation. A result is checked there, when it is delivered, against what the slot is bound
/// to by then; one that comes too late is dropped and counted, never shown.
public final class Slot<Decoder: ResourceDecoder> {
  /// What it shows.
  public typealias Value = Decoder.Value

  /// What the slot shows while a new request loads.
  public enum Placeholder: Sendable {
    /// Nothing: the display draws its placeholder.
    case blank
    /// The value of the request before, until the new one is there.
    case previous
  }

  /// What the slot shows now.
  public private(set) var state = SlotState<Value>.empty
  /// What it is bound to.
  public private(set) var request: Request<Decoder.Options>?

  private let loader: ResourceLoader<Decoder>
  private let placeholder: Placeholder
  private let showsPreviews: Bool
  private let display: (SlotState<Value>) -> Void
  private var binding: UInt64 = 0
  private var work: Task<Void, Never>?
  private var priority: LivePriority?

  /// A slot that shows what `loader` loads.
  ///
  /// - Parameters:
  ///   - showsPreviews: Shows what has arrived of a value that takes long, as ``SlotState/preview(_:)``; see
  ///     ``ResourceLoader/load(_:onPreview:)``.
  ///   - display: Called with each new state, in the isolation of the caller of ``show(_:isolation:)``.
  public init(
    _ loader: ResourceLoader<Decoder>, placeholder: Placeholder = .blank, showsPreviews: Bool = false,
    display: @escaping (SlotState<Value>) -> Void = { _ in }
  ) {
    self.loader = loader
    self.placeholder = placeholder
    self.showsPreviews = showsPreviews
    self.display = display
  }

  deinit { work?.cancel() }

  /// Binds the slot to `request`, or to nothing.
  ///
  /// A value that may answer while its origin is asked (`stale-while-revalidate`) gives way to a newer one, as long as
  /// the slot is bound to it.
  ///
  /// What is in memory is shown before this returns, without a placeholder in between. Otherwise the slot
  /// turns to loading and the load begins. The request before is cancelled either way. Showing the same
  /// request again changes nothing but its priority, while it loads or once it is shown; after a failure it
  /// tries again, and a reload loads each time.
  @specialized(where Decoder == ImageDecoder)
  public func show(_ request: Request<Decoder.Options>?, isolation: isolated any Actor = #isolation) {
    let request = request.map(loader.named)
    if let request, isShowing(request) {
      priority?.change(to: request.priority)
      return
    }
    work?.cancel()
    work = nil
    priority = nil
    binding += 1
    self.request = request
    guard let request else { return become(.empty) }

    // Fast path
    if let loaded = loader.inMemory(request) {
      follow(loaded, of: request, isolation: isolation)
      return become(.shown(loaded.value, from: .memory))
    }

    // Slow path. Begun before the display hears of it, which may bind the slot anew.
    load(request, isolation: isolation)
    become(.loading(previous: placeholder == .previous ? state.value : nil))
  }

  /// Loads the bound request once more, when its load failed.
  public func retry(isolation: isolated any Actor = #isolation) {
    guard case .failed = state, let request else { return }
    show(request, isolation: isolation)
  }

  private func load(_ request: Request<Decoder.Options>, isolation: isolated any Actor) {
    let binding = binding
    let priority = LivePriority(request.priority)
    self.priority = priority
    let previews = showsPreviews ? showPreviews(isolation: isolation) : nil
    var onPreview: (@Sendable (Value) -> Void)?
    if let previews { onPreview = { _ = previews.yield($0) } }
    work = loader.timeline.spawn(priority: request.priority.taskPriority) { [weak self, loader, onPreview] in
      // Captured, so that the task stays in the owner's isolation.
      _ = isolation
      let result: Result<Loaded<Value>, LoadError>
      do throws(LoadError) {
        result = .success(try await loader.load(request, live: priority, onPreview: onPreview))
      } catch {
        result = .failure(error)
      }
      previews?.finish()
      guard let self, self.binding == binding else {
        if case .success = result { loader.events.emit(.staleDropped(request.key.response)) }
        return
      }
      // Begun before the display hears of the value, like the load.
      if case .success(let loaded) = result { follow(loaded, of: request, isolation: isolation) }
      deliver(result)
    }
  }

  /// Shows newer versions in place of `loaded`, whose origin wants to be asked about it, as long as the slot is
  /// bound to `request`.
  private func follow(
    _ loaded: Loaded<Value>, of request: Request<Decoder.Options>, isolation: isolated any Actor
  ) {
    guard var version = loaded.version else { return }
    let binding = binding
    work = loader.timeline.spawn { [weak self, loader] in
      _ = isolation
      while let newer = await loader.newer(than: version, for: request), let next = newer.version,
        let self, self.binding == binding
      {
        version = next
        become(.shown(newer.value, from: newer.source))
      }
    }
  }

  /// Shows what is yielded to the stream it returns, as long as the slot waits for the value of now.
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

  private func deliver(_ result: Result<Loaded<Value>, LoadError>) {
    switch result {
    case .success(let loaded): become(.shown(loaded.value, from: loaded.source))
    // Nobody but this slot cancels its work, and then it is bound to something else; a cancelled owner
    // leaves the slot as it was.
    case .failure(let error) where error.kind == .cancelled: break
    case .failure(let error): become(.failed(error))
    }
  }

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
