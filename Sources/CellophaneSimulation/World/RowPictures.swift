internal import Cellophane
internal import CellophaneTestOrigin

/// The images of the rows, and the way to identify them.
enum RowPictures: Sendable {
  /// The embedded origin serves files to the first `rows`. Their pixels carry their numbers.
  case generated(LazyPictureFiles, ListContents, rows: Int)
  /// The user's own images, one URL per row, including local files if `allowsFiles`. They carry no numbers.
  /// Instead, a shown image must have the same pixels as an independent load of its row's URL.
  case own([String], allowsFiles: Bool)

  /// Returns the identity of an image.
  var identify: @Sendable (Image) -> PictureIdentity {
    switch self {
    case .generated: { PictureIdentity(readingRowFrom: $0) }
    case .own: { PictureIdentity(hashing: $0) }
    }
  }

  /// Returns the evidence of the images of the first `rows`.
  func evidence(of rows: Int) -> RowTally.Evidence {
    switch self {
    case .generated(_, let contents, _): .numbers((0..<rows).map(contents.picture))
    case .own: .afterwards
    }
  }

  /// The mean size of a file in bytes; nil if unknown in advance.
  var meanBytes: Int? {
    switch self {
    case .generated(let files, _, _): files.meanBytes
    case .own: nil
    }
  }

  /// Creates an origin that serves the images with the think time of the modeled one; nil if the images have
  /// their own origins.
  func makeOrigin(for configuration: SimulationConfiguration) throws(LoadError) -> TestOrigin? {
    guard case .generated(let files, _, _) = self else { return nil }
    let network = configuration.network
    let pictures = PictureOrigin(configuration, hasThinkTime: true) { picture, _ throws(LoadError) in
      try files.file(of: picture)
    }
    return try TestOrigin(network: network.profile, handshakes: network.tls ? 2 : 1) {
      pictures.answer($0.path, headers: $0.headers)
    }
  }

  /// Creates a transport to the images. `connectionsPerHost` is for a loader without its own limit.
  func makeTransport(connectionsPerHost: Int? = nil) -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.connectionsPerHost = connectionsPerHost
    switch self {
    // The embedded origin is on this machine. A proxy could not reach it, or would shape the link twice.
    case .generated: configuration.proxy = .direct
    case .own(_, let allowsFiles): configuration.allowsFiles = allowsFiles
    }
    return CurlTransport(configuration)
  }

  /// Returns the requests of the rows of `layout` for which images were generated.
  func requests(at origin: TestOrigin?, for layout: ListLayout) throws(LoadError) -> [ImageRequest] {
    var requests: [ImageRequest] = []
    let count =
      switch self {
      case .generated(_, _, let rows): rows
      case .own: layout.rows
      }
    requests.reserveCapacity(count)
    for row in 0..<count {
      let url: String =
        switch self {
        case .generated(_, let contents, _):
          (origin?.base ?? "") + PictureFiles.path(of: contents.picture(of: row))
        case .own(let urls, _): urls[row]
        }
      requests.append(try ImageRequest(url, size: layout.pixelSize(of: row), priority: .visible))
    }
    return requests
  }

  /// Returns the identities of the images of `rows` that carry no numbers. A row is left out if its URL
  /// returns no image, or different images for two loads.
  ///
  /// - Throws: ``LoadError/cancelled``, or ``LoadError/Kind/invalidRequest`` for an invalid URL.
  func identities(
    of rows: Set<Int>, in layout: ListLayout
  ) async throws(LoadError) -> [Int: PictureIdentity] {
    guard case .own = self else { return [:] }
    let requests = try requests(at: nil, for: layout)
    let transport = makeTransport()
    var byURL: [String: PictureIdentity] = [:]
    await withTaskGroup(of: (url: String, identity: PictureIdentity?).self) { group in
      let distinct = Dictionary(rows.map { (requests[$0].url, requests[$0]) }) { first, _ in first }
      var waiting = distinct.values.makeIterator()
      func startOne() {
        guard let request = waiting.next() else { return }
        group.addTask { (request.url, await identity(of: request, through: transport)) }
      }
      for _ in 0..<Self.concurrentVerifications { startOne() }
      for await (url, identity) in group {
        byURL[url] = identity
        startOne()
      }
    }
    await transport.close()
    if Task.isCancelled { throw .cancelled }
    return Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in byURL[requests[row].url].map { (row, $0) } })
  }

  /// The number of images that are verified concurrently: the limit of browsers for an HTTP/1.1 host.
  private static let concurrentVerifications = 6
  /// The deadline of a verification. A slower origin has shown no image in the run either.
  private static let verificationTimeout = Duration.seconds(10)

  /// Returns the common identity of two loads; nil if the URL returns no image or a different one each time.
  private func identity(
    of request: ImageRequest, through transport: CurlTransport
  ) async -> PictureIdentity? {
    guard let first = await loadedIdentity(of: request, through: transport),
      await loadedIdentity(of: request, through: transport) == first
    else { return nil }
    return first
  }

  /// Loads an image without any cache. Returns nil if that fails.
  private func loadedIdentity(
    of request: ImageRequest, through transport: CurlTransport
  ) async -> PictureIdentity? {
    var limits = TransferLimits()
    limits.total = Self.verificationTimeout
    guard
      let response = try? await transport.exchange(TransportRequest(url: request.url, limits: limits)),
      (200..<300).contains(response.status),
      let image = try? ImageDecoder().decode(response.body, options: request.options)
    else { return nil }
    return identify(image)
  }
}
