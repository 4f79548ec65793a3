internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting

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

  /// What `command` asks for.
  ///
  /// - Throws: ``LoadError`` when it is not there.
  init(_ command: Browse) async throws {
    var transfer = command.transfer
    (headers, cachePolicy) = (try transfer.requestHeaders(), transfer.cachePolicy)
    allowsFiles = transfer.allowsFiles
    if let list = command.list {
      let listed = try Self.listed(list, allowsFiles: transfer.allowsFiles)
      items = listed
      name = (list == "-" ? "standard input" : list).printable
      demo = nil
    } else {
      demo = command.origin == nil ? try await Self.demo() : nil
      // Its port is another each time, so that nobody would find again what was kept.
      if demo != nil { transfer.noCache = true }
      let base = try Self.base(demo?.base ?? command.origin ?? "")
      items = OriginItems(
        base: base, delay: command.delay, fail: command.fail, loader: try Self.answers(transfer))
      name = base.printable
    }
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
        guard (try? TransferOptions.check(item.url, allowsFiles: allowsFiles)) != nil else { return nil }
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

  /// The list at `path`.
  private static func listed(_ path: String, allowsFiles: Bool) throws(LoadError) -> ListedItems {
    // 64 MB: half a million URLs of ordinary length, more rows than a list that one scrolls.
    let bytes = try FileOutput.read(path, limit: 64 << 20)
    let list = ListedItems(lines: String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline))
    guard list.count > 0 else { throw LoadError(.invalidRequest, "the list '\(path)' has no URL") }
    for url in list.urls {
      try TransferOptions.check(url, allowsFiles: allowsFiles)
      _ = try Request(url, options: NoOptions())
    }
    return list
  }

  /// What stands before the paths of `origin`, which is checked.
  private static func base(_ origin: String) throws(LoadError) -> String {
    let base = String(origin.reversed().drop { $0 == "/" }.reversed())
    _ = try Request(base + "/items", options: NoOptions())
    return base
  }

  /// The loader of answers about items, which are of the moment: nothing is kept, and what fails is told at once, for
  /// whoever looks to decide.
  private static func answers(
    _ transfer: TransferOptions
  ) throws(LoadError) -> ResourceLoader<JSONResourceDecoder<ItemPage>> {
    var transfer = transfer
    transfer.noCache = true
    let bytes = try transfer.byteLoader { $0.retry.retries = 0 }
    return ResourceLoader(bytes: bytes, decoder: JSONResourceDecoder(), memory: MemoryCache(limit: 0))
  }
}
