internal import Cellophane
internal import CellophaneScreens

/// A list with a simple loader: each cell that appears starts its own download, decodes it and shows it.
/// Nothing is cached, shared, cancelled or checked. In other respects the comparison is fair. The list clears
/// a cell before it reuses it, decodes off the screen's actor, and has the same transport, decoder and, like
/// every platform's HTTP client, a limit of connections.
struct NaiveList<Decoder: ResourceDecoder>: ListLoader where Decoder.Options == ImageOptions {
  let transport: any Transport
  let decoder: Decoder
  /// Returns the identity of a decoded image.
  let identify: @Sendable (Decoder.Value) -> PictureIdentity
  let timeline: Timeline

  func makeList(
    rows: Int, slots: Int, request: @escaping (_ row: Int) -> ImageRequest?,
    display: @escaping (_ slot: Int, SlotState<PictureIdentity>) -> Void,
    bind: @escaping (_ slot: Int, _ row: Int) -> Void
  ) -> any SimulatedList {
    NaiveSlots(of: self, count: slots, request: request, display: display, bind: bind)
  }

  @concurrent
  fileprivate func load(_ request: ImageRequest) async throws(LoadError) -> Decoder.Value {
    let response = try await transport.exchange(TransportRequest(url: request.url))
    return try await decoder.decode(response.body, options: request.options)
  }
}

private final class NaiveSlots<Decoder: ResourceDecoder>: SimulatedList
where Decoder.Options == ImageOptions {
  private let list: NaiveList<Decoder>
  private let request: (_ row: Int) -> ImageRequest?
  private let display: (_ slot: Int, SlotState<PictureIdentity>) -> Void
  private let bind: (_ slot: Int, _ row: Int) -> Void
  private var bindings: RowBindings
  /// The number of slots that ``invalidate(count:isolation:)`` has replaced. They are not used again.
  private var retiredSlots = 0
  private var loads: [Int: Task<Void, Never>] = [:]
  private var begun = 0

  init(
    of list: NaiveList<Decoder>, count: Int, request: @escaping (_ row: Int) -> ImageRequest?,
    display: @escaping (_ slot: Int, SlotState<PictureIdentity>) -> Void,
    bind: @escaping (_ slot: Int, _ row: Int) -> Void
  ) {
    self.list = list
    self.request = request
    self.display = display
    self.bind = bind
    bindings = RowBindings(count: count)
  }

  func slot(of row: Int) -> Int? { bindings.slot(of: row).map { retiredSlots + $0 } }

  func scroll(_ motion: ListMotion, isolation: isolated any Actor) {
    for change in bindings.show(motion.visible) {
      let slot = retiredSlots + change.slot
      bind(slot, change.row)
      if let request = request(change.row) { load(request, in: slot, isolation: isolation) }
    }
  }

  private func load(_ request: ImageRequest, in slot: Int, isolation: isolated any Actor) {
    display(slot, .loading(previous: nil))
    let number = begun
    begun += 1
    loads[number] = list.timeline.spawn(priority: .userInitiated) { [list, display] in
      _ = isolation
      do throws(LoadError) {
        display(slot, .shown(list.identify(try await list.load(request)), from: .network))
      } catch {
        display(slot, .failed(error, previous: nil))
      }
      self.loads[number] = nil
    }
  }

  /// Replaces all slots. The loads of the old ones continue: a simple loader does not cancel them.
  func invalidate(count: Int?, isolation: isolated any Actor) {
    retiredSlots += bindings.rows.count
    bindings.removeAll(count: count)
  }

  func end(isolation: isolated any Actor) {
    for (_, load) in loads.sorted(by: { $0.key < $1.key }) { load.cancel() }
    loads = [:]
  }
}
