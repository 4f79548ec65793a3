public import Cellophane
public import CellophaneTesting

/// The origin of generated row pictures by itself: `/row/N.png` for even rows, `/row/N.jpg` for odd ones,
/// `/list.txt` with the URLs of all, and `/items` with what they are called (``ItemPage``), to be searched and paged
/// through: `/items?q=amber&page=2&per_page=20`. With `delay=800` it waits so many ms before it answers, with
/// `fail=0.3` it fails so many of the requests.
public struct RowOrigin: Sendable {
  /// What stands before the path in its URLs.
  public var base: String { origin.base }
  /// The mean size of a file, in bytes.
  public let meanBytes: Int
  /// What it answered so far.
  public var counters: OriginCounters { origin.counters }

  private let origin: TestOrigin

  /// The numbers of pictures that can be served: all of them are in memory.
  public static let rowCounts = 1...10_000

  /// Makes the pictures and starts to serve them on loopback. Calls `onStart` before, once the numbers are known to
  /// be in range: it takes seconds.
  ///
  /// - Throws: ``LoadError`` when the numbers are out of range or the port is taken; ``LoadError/cancelled``.
  public init(
    rows: Int, size: PixelSize, seed: UInt64, port: Int, network: NetworkProfile, onStart: () -> Void = {}
  ) async throws(LoadError) {
    guard Self.rowCounts.contains(rows) else {
      throw LoadError(.invalidRequest, "the number of pictures, \(rows), is not within 1...10000")
    }
    let sides = SimulationConfiguration.List.imageSides
    guard sides.contains(size.width), sides.contains(size.height) else {
      throw LoadError(
        .invalidRequest, "the pictures' size \(size.width)x\(size.height) is not within 16...2048 px a side")
    }
    // Before the pictures are made, which takes seconds.
    guard UInt16(exactly: port) != nil else {
      throw LoadError(.invalidRequest, "the port \(port) is not in 0...65535")
    }
    var configuration = SimulationConfiguration(time: .real)
    configuration.list.image = size
    configuration.seed = seed
    onStart()
    let files = try await PictureFiles(0..<rows, of: configuration)
    meanBytes = files.meanBytes
    let pictures = PictureOrigin(configuration, thinks: false) { picture, _ in
      files.file(of: picture)
    }
    let items = ItemOrigin(ItemCatalogue(rows: rows), seed: seed)
    origin = try TestOrigin(port: port, network: network) { request in
      switch request.path {
      case "/list.txt":
        let host = request.headers["host"] ?? ""
        let lines = (0..<rows).map { "http://\(host)\(PictureFiles.path(of: $0))\n" }
        return OriginResponse(headers: ["Content-Type": "text/plain"], body: Array(lines.joined().utf8))
      case ItemOrigin.path: return items.answer(request.query ?? "", number: request.sequence)
      default: return pictures.answer(request.path, headers: request.headers)
      }
    }
  }

  /// The number of the row that `image`, one of the pictures, carries in its pixels; nil when none can be read. It needs
  /// sixteen pixels on each side.
  public static func row(shownBy image: Image) -> Int? {
    if case .row(let row, _) = PictureIdentity(readingRowFrom: image) { row } else { nil }
  }

  /// Closes all connections.
  public func stop() { origin.stop() }
}
