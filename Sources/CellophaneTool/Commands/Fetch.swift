internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// `cellophane fetch URL`
struct Fetch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Load one URL through the caches, and write or describe what it gives.",
    discussion: """
      Without --output the response is loaded, checked and cached, and described on one line. With it the body \
      is written as the origin sent it, after content decoding; with --size, or when the file name asks for \
      another image format, the picture is encoded anew. '-' writes to standard output.
      """)

  @Argument(help: "An http or https URL; a file URL with --allow-files.")
  var url: String

  @Option(name: .customLong("as"), help: "image: fails on what cannot be decoded; bytes: takes anything.")
  var form = Form.image

  @Option(name: [.short, .long], help: "Where the result is written; '-' is standard output.")
  var output: String?

  @OptionGroup var transfer: TransferOptions
  @OptionGroup var picture: PictureOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  /// What `--json` prints.
  struct Report: Encodable {
    let url: String
    let source: String
    /// No longer fresh, and given all the same.
    let stale: Bool
    let status: Int
    let bytes: Int
    let contentType: String?
    let image: ImageReport?
    let output: String?
    let notKept: String?
    let duration_ms: Double
  }

  func validate() throws {
    if form == .bytes, picture.size != nil { throw ValidationError("--size needs --as image") }
    if let output, picture.size != nil, Image.Encoding.isForeign(fileName: output) {
      throw ValidationError("with --size --output ends in .png or .jpg, not '\(output)'")
    }
    if json, output == "-" { throw ValidationError("--json and --output - both want standard output") }
  }

  func run() async throws {
    let report: Report
    do {
      report = try await Interruption().cancels { try await load() }
    } catch let error as LoadError {
      throw Failure(error, json: json)
    }
    if json { return try Output.json(report) }
    let parts =
      [
        report.url, report.image?.summary ?? report.contentType, Text.bytes(report.bytes),
        report.source + (report.stale ? ", stale" : ""),
        Text.duration(.milliseconds(report.duration_ms)), report.output.map { "-> " + $0 },
      ] as [String?]
    let line = parts.compactMap(\.self).joined(separator: "  ")
    if output == "-" { Output.note(line) } else { try Output.line(line) }
  }

  private func load() async throws -> Report {
    let request = try Request(
      url, headers: try transfer.requestHeaders(), options: picture.options(), priority: .visible,
      cachePolicy: transfer.cachePolicy)
    try TransferOptions.check(request.url, allowsFiles: transfer.allowsFiles)
    let loader = try transfer.byteLoader()
    let report: Report
    do {
      report = try await load(request, with: loader)
    } catch {
      // The beginning of it may be kept.
      await loader.settle()
      throw error
    }
    await loader.settle()
    return report
  }

  private func load(_ request: ImageRequest, with loader: ByteLoader) async throws -> Report {
    let start = loader.timeline.now
    var loaded = try await loader.load(request)
    var image: DecodedFile?
    if form == .image {
      // Nothing is kept in memory of a picture that is not asked for twice.
      let images = ImageLoader(bytes: loader, decoder: ImageDecoder(), memory: MemoryCache(limit: 0))
      do throws(LoadError) {
        let (bytes, value) = try await images.decodeOrReload(loaded, for: request)
        (loaded, image) = (bytes, try DecodedFile(bytes.bytes, image: value))
      } catch {
        throw error.namingWayOut(of: loaded)
      }
    }
    if let output { try write(loaded, image, to: output) }
    if let loss = loaded.storeFailure { Output.note("not kept in the cache: \(loss)") }
    return Report(
      url: request.url, source: loaded.source.rawValue, stale: loaded.isStale, status: loaded.status,
      bytes: loaded.bytes.count, contentType: loaded.headers["content-type"],
      image: image.map(ImageReport.init), output: output,
      notKept: loaded.storeFailure?.description,
      duration_ms: (loader.timeline.now - start).milliseconds)
  }

  /// Writes the body as it came, unless a size or the name asks for another picture.
  private func write(
    _ loaded: LoadedBytes, _ decoded: DecodedFile?, to output: String
  ) throws(LoadError) {
    let named = Image.Encoding(fileName: output)
    guard let decoded, picture.size != nil || !(named?.matches(decoded.header.format) ?? true) else {
      return try FileOutput.write(loaded.bytes, to: output)
    }
    let own: Image.Encoding = decoded.header.format == .png ? .png : .jpeg(quality: 90)
    try FileOutput.write(decoded.image, as: named ?? own, to: output)
  }
}
