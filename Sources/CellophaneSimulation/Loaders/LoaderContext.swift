public import Cellophane
public import CellophaneResults

/// A decoded image of a row. Its pixels are known to the simulation only.
public struct RowImage: Sendable {
  let identity: PictureIdentity
  /// The size of its pixels, in bytes: the cost in a memory cache.
  public let cost: Int
}

/// The access of a ``RowLoader`` to the list, the network and the decoder of its run. Belongs to the actor of the
/// screen.
public struct LoaderContext {
  /// The only transport whose bytes count. It reports all exchanges to the metrics.
  public let transport: any Transport
  /// The clock of the run and the only way to start tasks: in virtual time, other clocks and tasks do not follow it.
  public let timeline: Timeline
  /// The sizes of the caches that the scenario sets.
  public let caches: SimulationConfiguration.Cache

  let requestOfRow: (_ row: Int) -> ImageRequest?
  let display: (_ slot: Int, SlotState<PictureIdentity>) -> Void
  let decoder: any RowDecoder

  /// Returns the URL and the size of the image of `row`; nil for a row that the run never shows.
  public func request(of row: Int) -> ImageRequest? { requestOfRow(row) }

  /// The decoder of the run. In virtual time, decoding takes modeled time on one of the modeled cores.
  ///
  /// - Parameters:
  ///   - file: The file of an image.
  ///   - request: The request of the row, with the size to decode to.
  /// - Throws: ``LoadError`` if the file is no image; ``LoadError/cancelled`` if the task is cancelled.
  public func decode(_ file: [UInt8], for request: ImageRequest) async throws(LoadError) -> RowImage {
    try await decoder.image(file, request.options)
  }

  /// Shows `image` in `slot`.
  public func show(_ image: RowImage, in slot: Int, from source: Source = .network) {
    display(slot, .shown(image.identity, from: source))
  }

  /// Reports that the load of `slot` failed. The slot stays empty.
  public func fail(_ slot: Int, with error: LoadError) { display(slot, .failed(error, previous: nil)) }
}

/// The decoder of a run without the type of its values.
protocol RowDecoder: Sendable {
  func image(_ file: [UInt8], _ options: ImageOptions) async throws(LoadError) -> RowImage
}

/// A decoder that runs off the screen's actor.
struct ScreenlessDecoder<Decoder: ResourceDecoder>: RowDecoder where Decoder.Options == ImageOptions {
  let decoder: Decoder
  /// Returns the identity of a decoded image.
  let identify: @Sendable (Decoder.Value) -> PictureIdentity

  @concurrent
  func image(_ file: [UInt8], _ options: ImageOptions) async throws(LoadError) -> RowImage {
    let value = try await decoder.decode(file, options: options)
    return RowImage(identity: identify(value), cost: decoder.cost(of: value))
  }
}
