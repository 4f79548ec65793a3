internal import Cellophane
internal import CellophaneTesting

/// Where the rows' pictures come from, and how it is proven which is which.
enum RowPictures: Sendable {
  /// The embedded origin serves files whose pixels carry their number, to the first `rows`.
  case generated(PictureFiles, ListContents, rows: Int)
  /// The user's own pictures, one URL a row, local files among them if `allowsFiles`. They carry no number; a
  /// picture that was shown must have the same pixels as an independent load of its row's URL.
  case own([String], allowsFiles: Bool)

  /// What a picture proves to be.
  var identify: @Sendable (Image) -> PictureIdentity {
    switch self {
    case .generated: { PictureIdentity(readingRowFrom: $0) }
    case .own: { PictureIdentity(hashing: $0) }
    }
  }

  /// When it is known which picture belongs to each of so many `rows`.
  func proof(of rows: Int) -> RowsSeen.Proof {
    switch self {
    case .generated(_, let contents, _): .numbers((0..<rows).map(contents.picture))
    case .own: .afterwards
    }
  }

  /// The mean size of a file in bytes; nil when nobody knows beforehand.
  var meanBytes: Int? {
    switch self {
    case .generated(let files, _, _): files.meanBytes
    case .own: nil
    }
  }

  /// A new origin with the pictures, which thinks as long as the modelled one; nil when they have their own.
  func makeOrigin(for configuration: SimulationConfiguration) throws(LoadError) -> TestOrigin? {
    guard case .generated(let files, _, _) = self else { return nil }
    let network = configuration.network
    let pictures = PictureOrigin(configuration, thinks: true) { picture, _ in
      files.file(of: picture)
    }
    return try TestOrigin(network: network.profile, handshakes: network.tls ? 2 : 1) {
      pictures.answer($0.path, headers: $0.headers)
    }
  }

  /// A new transport that reaches them. `connectionsPerHost` is for a loader that sets no limit itself.
  func makeTransport(connectionsPerHost: Int? = nil) -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.connectionsPerHost = connectionsPerHost
    switch self {
    // The embedded origin is on this machine; a proxy would shape the line a second time, if it got through.
    case .generated: configuration.proxy = .direct
    case .own(_, let allowsFiles): configuration.allowsFiles = allowsFiles
    }
    return CurlTransport(configuration)
  }

  /// The requests of the rows of `layout`, as far down as pictures were generated.
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
      requests.append(try ImageRequest(url, size: layout.pictureSize(of: row), priority: .visible))
    }
    return requests
  }

  /// What the picture of each of `rows` is, of those that carry no number; a row whose URL gives no picture, or
  /// not the same one twice, is left out.
  ///
  /// - Throws: ``LoadError/cancelled``, or ``LoadError/Kind/invalidRequest`` for a URL that is none.
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
      for _ in 0..<Self.verificationsAtOnce { startOne() }
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

  /// How many pictures are loaded at once for comparison: what one host expects of a client.
  private static let verificationsAtOnce = 6
  /// How long the comparison waits for one picture: an origin that is slower has shown none in the run either.
  private static let verificationTime = Duration.seconds(10)

  /// What two loads agree on; nil when a URL gives no picture, or another one each time, which proves nothing.
  private func identity(
    of request: ImageRequest, through transport: CurlTransport
  ) async -> PictureIdentity? {
    guard let first = await loadedIdentity(of: request, through: transport),
      await loadedIdentity(of: request, through: transport) == first
    else { return nil }
    return first
  }

  /// Loads one picture past every cache; nil when that fails.
  private func loadedIdentity(
    of request: ImageRequest, through transport: CurlTransport
  ) async -> PictureIdentity? {
    var limits = TransferLimits()
    limits.total = Self.verificationTime
    guard
      let response = try? await transport.exchange(TransportRequest(url: request.url, limits: limits)),
      (200..<300).contains(response.status),
      let image = try? ImageDecoder().decode(response.body, options: request.options)
    else { return nil }
    return identify(image)
  }
}
