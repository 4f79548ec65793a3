internal import Cellophane
internal import Testing

// The code of Sources/Cellophane/Cellophane.docc/CustomDecoders.md.

/// Decodes the rows of a CSV file whose fields are not quoted.
struct CSVDecoder: ResourceDecoder {
  func decode(_ bytes: [UInt8], options: NoOptions) throws(LoadError) -> [[String]] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw LoadError(.corrupt, "the CSV is not UTF-8; export it again as UTF-8")
    }
    return text.split(separator: "\n").map { line in line.split(separator: ",").map(String.init) }
  }

  /// The text, and the fields as strings of 16 bytes and their contents.
  func workingBytes(for bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int { bytes.count * 8 }

  func cost(of value: [[String]]) -> Int {
    value.reduce(0) { sum, row in row.reduce(sum + 32) { $0 + 16 + $1.utf8.count } }
  }
}

/// Decodes images and removes their colors.
struct GrayImageDecoder: ResourceDecoder {
  private let images = ImageDecoder()

  func decode(_ bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Image {
    let image = try images.decode(bytes, options: options)
    var pixels = image.pixels
    for red in stride(from: 0, to: pixels.count, by: 4) {
      // Weights of ITU-R BT.709 in 256ths.
      let sum = 54 * Int(pixels[red]) + 183 * Int(pixels[red + 1]) + 19 * Int(pixels[red + 2])
      let gray = UInt8(sum >> 8)
      (pixels[red], pixels[red + 1], pixels[red + 2]) = (gray, gray, gray)
    }
    return try Image(width: image.width, height: image.height, pixels: pixels)
  }

  /// The image and its copy.
  func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    2 * (try images.workingBytes(for: bytes, options: options))
  }

  func cost(of value: Image) -> Int { images.cost(of: value) }
}

/// Heights of a landscape, one byte each, row by row.
struct HeightMap: Sendable {
  var width: Int
  var rows: [[UInt8]]
}

/// Decodes height maps: a byte for the width, a byte for the height, then the samples.
struct HeightMapDecoder: ResourceDecoder {
  func decode(_ bytes: [UInt8], options: NoOptions) throws(LoadError) -> HeightMap {
    let decoding = HeightMapDecoding()
    _ = try decoding.feed(bytes)
    return try decoding.finish()
  }

  /// Judged from the header. The loader calls it again with more bytes when it throws `truncated`.
  func workingBytes(for bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int {
    guard bytes.count >= 2 else { throw LoadError(.truncated, "the height map ends within its header") }
    return 2 * Int(bytes[0]) * Int(bytes[1])
  }

  func cost(of value: HeightMap) -> Int { value.width * value.rows.count }

  func incremental(options: NoOptions) -> (any IncrementalDecoding<HeightMap>)? { HeightMapDecoding() }
}

final class HeightMapDecoding: IncrementalDecoding {
  private var bytes: [UInt8] = []
  private var map: HeightMap?

  func feed(_ piece: [UInt8]) throws(LoadError) -> Bool {
    bytes += piece
    guard bytes.count >= 2 else { return false }
    var next = map ?? HeightMap(width: Int(bytes[0]), rows: [])
    let (before, height) = (next.rows.count, Int(bytes[1]))
    while next.rows.count < height, bytes.count - 2 >= (next.rows.count + 1) * next.width {
      let start = 2 + next.rows.count * next.width
      next.rows.append(Array(bytes[start..<start + next.width]))
    }
    map = next
    return next.rows.count > before
  }

  func preview() throws(LoadError) -> HeightMap? { map }

  func finish() throws(LoadError) -> HeightMap {
    guard let map, map.rows.count == Int(bytes[1]) else {
      throw LoadError(.truncated, "the height map ends after \(bytes.count) bytes")
    }
    return map
  }
}

/// Loaders that share one byte loader, and with it the network, the disk cache and the events.
struct Loaders: Sendable {
  let images: ImageLoader
  let grayImages: ResourceLoader<GrayImageDecoder>
  let tables: ResourceLoader<CSVDecoder>

  init(_ bytes: ByteLoader) {
    images = ImageLoader(bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 128 << 20))
    grayImages = ResourceLoader(
      bytes: bytes, decoder: GrayImageDecoder(), memory: MemoryCache(limit: 64 << 20))
    tables = ResourceLoader(bytes: bytes, decoder: CSVDecoder(), memory: MemoryCache(limit: 16 << 20))
  }
}

@Suite("Custom decoders")
struct CustomDecodersSnippetTests {
  @Test("a CSV file becomes rows")
  func table() throws {
    let table = try CSVDecoder().decode(Array("a,b\nc,d\n".utf8), options: NoOptions())
    #expect(table == [["a", "b"], ["c", "d"]])
    #expect(CSVDecoder().cost(of: table) == 2 * 32 + 4 * 17)
  }

  @Test("colors become gray")
  func gray() throws {
    let red = try Image(width: 1, height: 1, pixels: [255, 0, 0, 255]).encoded(as: .png)
    let image = try GrayImageDecoder().decode(red, options: ImageOptions())
    #expect(image.pixels == [53, 53, 53, 255])
  }

  @Test("a height map that arrives in pieces equals the same file at once")
  func pieces() throws {
    let file: [UInt8] = [2, 2, 1, 2, 3, 4]
    let whole = try HeightMapDecoder().decode(file, options: NoOptions())
    let decoding = HeightMapDecoding()
    let news = try file.map { try decoding.feed([$0]) }
    #expect(news == [false, false, false, true, false, true])
    let inPieces = try decoding.finish()
    #expect(inPieces.rows == whole.rows && whole.rows == [[1, 2], [3, 4]])
    #expect(throws: LoadError.self) { try HeightMapDecoder().decode([2, 2, 1], options: NoOptions()) }
  }
}

// The code in the comment of ResourceSource.

struct Archive: ResourceSource {
  let files: [String: [UInt8]]

  func bytes(of url: String) throws(LoadError) -> [UInt8] {
    guard let bytes = files[url] else { throw LoadError(.invalidRequest, "the archive has no \(url)") }
    return bytes
  }
}

func logos(in archive: Archive) throws(LoadError) -> [ImageRequest] {
  [
    try ImageRequest("archive:logo.png", from: archive),
    try ImageRequest("data:image/png;base64,iVBORw0KGgo="),
    ImageRequest(id: "logo", options: ImageOptions()) { () throws(LoadError) in archive.files["logo"] ?? [] },
  ]
}
