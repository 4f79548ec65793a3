package import Cellophane
package import CellophaneTestOrigin
package import CellophaneNetwork

/// An origin of generated row images on loopback. It serves `/row/N.png` for even rows, `/row/N.jpg` for odd
/// ones, `/` with links, and `/list.txt` with all URLs. `/items` serves the titles (``ItemPage``) with search and paging:
/// `/items?q=amber&page=2&per_page=20`. `delay=800` delays the answer by 800 ms; `fail=0.3` fails 30 % of the
/// requests.
package struct RowOrigin: Sendable {
  /// The beginning of its URLs, before the path.
  package var base: String { origin.base }
  /// The mean size of a file, in bytes.
  package let meanBytes: Int
  /// The counters of its answers.
  package var counters: OriginCounters { origin.counters }

  private let origin: TestOrigin
  private let files: LazyPictureFiles

  /// The accepted numbers of images, which are all in memory.
  package static let rowCounts = 1...10_000

  /// Opens the port and serves images on loopback. An image is generated at its first request, unless
  /// ``generate()`` did it before. Until the image is encoded, the only thread of the origin answers no other request:
  /// for about 10 ms at 320x320 px, and up to a second at 2048x2048 px. An image that cannot be encoded is a 500.
  ///
  /// - Throws: ``LoadError`` if a value is out of range or the port is taken.
  package init(
    rows: Int, size: PixelSize, seed: UInt64, port: Int, network: NetworkProfile
  ) throws(LoadError) {
    guard Self.rowCounts.contains(rows) else {
      throw LoadError(.invalidRequest, "the number of images must be from 1 to 10000, not \(rows)")
    }
    let sides = SimulationConfiguration.List.imageSides
    guard sides.contains(size.width), sides.contains(size.height) else {
      throw LoadError(
        .invalidRequest,
        "the sides of the image size must be from 16 to 2048 px, not \(size.width)x\(size.height)")
    }
    var configuration = SimulationConfiguration(time: .real)
    configuration.list.image = size
    configuration.seed = seed
    let files = LazyPictureFiles(0..<rows, of: configuration)
    self.files = files
    meanBytes = files.meanBytes
    let pictures = PictureOrigin(configuration, hasThinkTime: false) { picture, _ throws(LoadError) in
      try files.file(of: picture)
    }
    let items = ItemOrigin(ItemCatalog(rows: rows), seed: seed)
    origin = try TestOrigin(port: port, network: network) { request in
      guard ["GET", "HEAD"].contains(request.method) else {
        return OriginResponse(status: 405, headers: ["Allow": "GET, HEAD"])
      }
      switch request.path {
      case "/":
        return OriginResponse(headers: ["Content-Type": "text/html"], body: Array(Self.index.utf8))
      case "/list.txt":
        let host = request.headers["host"] ?? ""
        let lines = (0..<rows).map { "http://\(host)\(PictureFiles.path(of: $0))\n" }
        return OriginResponse(headers: ["Content-Type": "text/plain"], body: Array(lines.joined().utf8))
      case ItemOrigin.path: return items.answer(request.query ?? "", number: request.sequence)
      default: return pictures.answer(request.path, headers: request.headers)
      }
    }
  }

  /// The page with the links to the list and to the search.
  private static let index = """
    <!doctype html><title>cellophane origin</title>
    <p><a href="/list.txt">/list.txt</a>: the URLs of all images
    <p><a href="/items?q=amber">/items?q=amber</a>: a search, as JSON
    """

  /// Returns the row number in the pixels of `image`; nil if it cannot be read. The image needs at least 16
  /// pixels per side.
  package static func row(shownBy image: Image) -> Int? {
    if case .row(let row, _) = PictureIdentity(readingRowFrom: image) { row } else { nil }
  }

  /// Generates all images, which takes seconds for some hundred. Their first requests are then answered at once.
  ///
  /// - Throws: ``LoadError`` if an image of this size cannot be encoded; ``LoadError/cancelled``.
  package func generate() async throws(LoadError) { try await files.generate() }

  /// Stops the server and closes all connections.
  package func stop() { origin.stop() }
}
