internal import Cellophane

/// A list as one writes it on the first day: every cell that appears starts a download of its own, decodes it
/// and shows it. Nothing is kept, shared, cancelled or checked. It is no straw man otherwise: it clears a cell
/// before it is reused, decodes off the screen's actor, and has the same transport, the same decoder
/// and, like every platform's HTTP client, a limit of connections.
struct NaiveList<Decoder: ResourceDecoder>: ListLoader where Decoder.Options == ImageOptions {
  let transport: any Transport
  let decoder: Decoder
  /// What a picture proves to be.
  let identify: @Sendable (Decoder.Value) -> PictureIdentity
  let timeline: Timeline

  func makeCell(display: @escaping (SlotState<PictureIdentity>) -> Void) -> any PictureCell {
    NaiveCell(list: self, display: display)
  }

  func makePrefetcher() -> (any RowPrefetcher)? { nil }

  @concurrent
  fileprivate func load(_ request: ImageRequest) async throws(LoadError) -> Decoder.Value {
    let response = try await transport.exchange(TransportRequest(url: request.url))
    return try await decoder.decode(response.body, options: request.options)
  }
}

private final class NaiveCell<Decoder: ResourceDecoder>: PictureCell where Decoder.Options == ImageOptions {
  private let list: NaiveList<Decoder>
  private let display: (SlotState<PictureIdentity>) -> Void
  private var loads: [Int: Task<Void, Never>] = [:]
  private var begun = 0

  init(list: NaiveList<Decoder>, display: @escaping (SlotState<PictureIdentity>) -> Void) {
    self.list = list
    self.display = display
  }

  func show(_ request: ImageRequest, isolation: isolated any Actor) {
    display(.loading(previous: nil))
    let number = begun
    begun += 1
    loads[number] = list.timeline.spawn(priority: .userInitiated) { [list, display] in
      _ = isolation
      do throws(LoadError) {
        display(.shown(list.identify(try await list.load(request)), from: .network))
      } catch {
        display(.failed(error))
      }
      self.loads[number] = nil
    }
  }

  // Nobody thought of it.
  func leave(isolation: isolated any Actor) {}

  func end(isolation: isolated any Actor) {
    for (_, load) in loads.sorted(by: { $0.key < $1.key }) { load.cancel() }
    loads = [:]
  }
}
