internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting

/// What somebody wants to browse, read and checked, before anything is begun for it.
enum BrowseInput: Sendable {
  case list(ListedItems, name: String)
  /// What stands before the paths of an origin.
  case origin(base: String)
  /// An origin that is made for the occasion.
  case demo

  /// What `command` asks for.
  ///
  /// - Throws: ``LoadError`` when it is not there.
  init(_ command: Browse) throws(LoadError) {
    if let path = command.list {
      let allowsFiles = command.transfer.allowsFiles
      let items = try ListedItems(contentsOf: path) { url throws(LoadError) in
        try TransferOptions.check(url, allowsFiles: allowsFiles)
        _ = try Request(url, options: NoOptions())
      }
      self = .list(items, name: (path == "-" ? "standard input" : path).printable)
    } else if let origin = command.origin {
      let base = String(origin.reversed().drop { $0 == "/" }.reversed())
      _ = try Request(base + "/items", options: NoOptions())
      self = .origin(base: base)
    } else {
      self = .demo
    }
  }
}

/// What is browsed: a list, an origin, or one made for the occasion; and the loaders over it.
struct BrowseSource: Sendable {
  let name: String
  let items: any ItemSource
  let pictures: ImageLoader
  private let headers: HeaderFields
  private let cachePolicy: CachePolicy
  private let allowsFiles: Bool
  /// Ours, to be stopped.
  private let demo: RowOrigin?

  /// What `command` asks for by `input`.
  init(_ input: BrowseInput, _ command: Browse) async throws {
    var transfer = command.transfer
    (headers, cachePolicy) = (try transfer.requestHeaders(), transfer.cachePolicy)
    allowsFiles = transfer.allowsFiles
    var demo: RowOrigin?
    switch input {
    case .list(let listed, let name): (items, self.name) = (listed, name)
    case .origin(let base):
      (items, name) = (try Self.items(of: base, command, transfer), base.printable)
    case .demo:
      let origin = try await Self.demo()
      demo = origin
      // Its port is another each time, so that nobody would find again what was kept.
      transfer.noCache = true
      (items, name) = (try Self.items(of: origin.base, command, transfer), origin.base.printable)
    }
    self.demo = demo
    // What somebody looks at is worth to be asked for again when it has become old.
    let bytes = try transfer.byteLoader { $0.refreshesInBackground = true }
    pictures = ImageLoader(bytes: bytes, decoder: ImageDecoder())
  }

  /// The parts of a screen with it.
  func parts(_ abilities: Abilities, showsWrong: Bool) -> Browser.Parts {
    let allowsFiles = allowsFiles
    return Browser.Parts(
      name: name, items: items, pictures: pictures,
      request: { [headers, cachePolicy] item, size in
        // What cannot be asked for has no picture.
        guard item.defect == nil, (try? TransferOptions.check(item.url, allowsFiles: allowsFiles)) != nil
        else { return nil }
        return try? ImageRequest(
          item.url, headers: headers, options: ImageOptions(targetSize: size, mode: .fill, enlarges: true),
          priority: .visible, cachePolicy: cachePolicy)
      }, abilities: abilities, showsWrong: showsWrong, timeline: Timeline())
  }

  /// Waits for what is still to be written to disk.
  func settle() async { await pictures.bytes.settle() }

  func stop() { demo?.stop() }

  private static func demo() async throws(LoadError) -> RowOrigin {
    // Five hundred are made in a second, and a line on which they are seen to come.
    try await RowOrigin(
      rows: 500, size: PixelSize(width: 128, height: 128), seed: 1, port: 0,
      network: try NetworkProfile(parsing: "wpt-lte")
    ) { Output.note("making 500 pictures ...") }
  }

  /// The loader of answers about items, which are of the moment: nothing is kept, and what fails is told at once, for
  /// whoever looks to decide.
  private static func items(
    of base: String, _ command: Browse, _ transfer: TransferOptions
  ) throws(LoadError) -> OriginItems {
    var transfer = transfer
    transfer.noCache = true
    let bytes = try transfer.byteLoader { $0.retry.retries = 0 }
    return OriginItems(
      base: base, delay: command.delay, fail: command.fail,
      loader: ResourceLoader(bytes: bytes, decoder: JSONResourceDecoder(), memory: MemoryCache(limit: 0)))
  }
}
