internal import Cellophane
internal import CellophaneBrowser
internal import CellophaneSimulation
internal import CellophaneTestOrigin
internal import CellophaneNetwork

/// The checked input of `browse`, before any work starts.
enum BrowseInput: Sendable {
  case list(ListedItems, name: String)
  /// An origin, by the common prefix of its URLs.
  case origin(base: String)
  /// An origin in this process.
  case demo

  /// Reads and checks the input of `command`.
  ///
  /// - Throws: ``LoadError`` if a list cannot be read, or if the URL of an origin is invalid.
  init(_ command: Browse) throws(LoadError) {
    if let path = command.list {
      let allowsFiles = command.transfer.connection.allowsFiles
      let items = try ListedItems(contentsOf: path) { url throws(LoadError) in
        try TransferOptions.check(url, allowsFiles: allowsFiles)
        _ = try Request(url, options: NoOptions())
      }
      self = .list(items, name: (path == "-" ? "standard input" : path).printable)
    } else if let origin = command.display.origin {
      let base = String(origin.reversed().drop { $0 == "/" }.reversed())
      _ = try Request(base + "/items", options: NoOptions())
      self = .origin(base: base)
    } else {
      self = .demo
    }
  }
}

/// The items of `browse` and their loaders: a list, an origin, or an origin in this process.
struct BrowseSource: Sendable {
  let name: String
  let items: any ItemSource
  let images: ResourceLoader<AnimatedImageDecoder>
  private let headers: HeaderFields
  private let cachePolicy: CachePolicy
  private let allowsFiles: Bool
  private let advice: @Sendable (LoadError) -> String?
  /// The origin in this process, which has to be stopped.
  private let demo: RowOrigin?

  /// Creates the loaders for `input` with the options of `command`, and starts the demo origin if there is no other input.
  init(_ input: BrowseInput, _ command: Browse) async throws {
    var transfer = command.transfer
    (headers, cachePolicy) = (try transfer.connection.requestHeaders(), transfer.storage.policy)
    allowsFiles = transfer.connection.allowsFiles
    advice = { [transfer] in transfer.advice(on: $0, requiring: nil) }
    var demo: RowOrigin?
    switch input {
    case .list(let listed, let name): (items, self.name) = (listed, name)
    case .origin(let base):
      (items, name) = (try Self.items(of: base, command, transfer), base.printable)
    case .demo:
      let origin = try await Self.startDemo()
      demo = origin
      // The port changes with each run, so a cached response would never be used again.
      transfer.storage.noCache = true
      (items, name) = (try Self.items(of: origin.base, command, transfer), origin.base.printable)
    }
    self.demo = demo
    // A visible image that is stale is worth a request in the background.
    let bytes = try transfer.byteLoader { $0.refreshesInBackground = true }
    let decoder = AnimatedImageDecoder(images: ImageDecoder(codecs: PictureCodec.ofTool))
    images = ResourceLoader(bytes: bytes, decoder: decoder)
  }

  /// Returns the parts of a browser for these items.
  func parts(_ capabilities: TerminalCapabilities, showsWrong: Bool) -> Browser.Parts {
    let allowsFiles = allowsFiles
    return Browser.Parts(
      name: name, items: items, images: images,
      request: { [headers, cachePolicy] item, size in
        // An item with an invalid URL has no image.
        guard item.defect == nil, (try? TransferOptions.check(item.url, allowsFiles: allowsFiles)) != nil
        else { return nil }
        var options = ImageOptions(targetSize: size, mode: .fill, enlarges: true)
        #if ColorManagement
          options.convertsToSRGB = true
        #endif
        return try? ImageRequest(
          item.url, headers: headers, options: options, priority: .visible, cachePolicy: cachePolicy)
      }, rowNumber: RowOrigin.row(shownBy:), advice: advice, capabilities: capabilities,
      showsWrong: showsWrong,
      timeline: Timeline())
  }

  /// Waits for pending writes to the disk cache.
  func settle() async { await images.bytes.settle() }

  func stop() { demo?.stop() }

  private static func startDemo() async throws(LoadError) -> RowOrigin {
    // 500 images are generated within a second. Over LTE their arrival is visible.
    Output.note("generating 500 images ...")
    let origin = try RowOrigin(
      rows: 500, size: PixelSize(width: 128, height: 128), seed: 1, port: 0,
      network: try NetworkProfile(parsing: "wpt-lte"))
    try await origin.generate()
    return origin
  }

  /// Returns the items of an origin. Their loader has no cache, because responses change, and no retries: a failure is
  /// shown at once, and the user decides.
  private static func items(
    of base: String, _ command: Browse, _ transfer: TransferOptions
  ) throws(LoadError) -> OriginItems {
    var transfer = transfer
    transfer.storage.noCache = true
    let bytes = try transfer.byteLoader { $0.retry.retries = 0 }
    return OriginItems(
      base: base, delay: command.display.delay, fail: command.display.fail?.value,
      loader: ResourceLoader(bytes: bytes, decoder: JSONResourceDecoder(), memory: MemoryCache(limit: 0)))
  }
}
