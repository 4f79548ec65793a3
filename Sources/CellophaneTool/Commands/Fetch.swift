internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// `cellophane fetch URL`
struct Fetch: AsyncParsableCommand, CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Load one URL through the caches, and describe or write the response.",
    discussion: """
      Without --output, fetch prints one line about the response. With --output, it writes the body after content \
      decoding. With --size, it writes a re-encoded image. If the file name ends in .png, .jpg, .webp or .avif and \
      the image has another format, fetch converts it. A name that ends in .gif needs a GIF, and names of other formats, \
      such as .heic, need --as bytes.

      Examples:
        cellophane fetch https://example.com/photo.jpg
        cellophane fetch https://example.com/photo.jpg --size 256x256 -o small.png
        cellophane fetch https://example.com/data.json --as bytes -o -
      """)

  @Argument(
    help: ArgumentHelp("Load this http or https URL, or a file URL with --allow-files.", valueName: "url"))
  var url: String

  @OptionGroup(title: "Result") var result: ResultOptions
  @OptionGroup(title: "Image") var decoding: DecodingOptions
  @OptionGroup(title: "Image") var pixels: PixelLimitOptions
  @OptionGroup(title: "Cache") var storage: StorageOptions
  @OptionGroup(title: "Network") var connection: ConnectionOptions

  var transfer: TransferOptions { TransferOptions(storage: storage, connection: connection) }

  /// The kind and the form of the result.
  struct ResultOptions: ParsableArguments {
    @Option(
      name: .customLong("as"),
      help: ArgumentHelp("Require a decodable image, or accept any bytes.", valueName: "kind"))
    var kind = ContentKind.image

    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        "Write the response to this file; '-' writes to standard output.", valueName: "file"),
      completion: .file())
    var output: String?

    @Flag(help: "Print one JSON object.")
    var json = false
  }

  /// The object of `--json`.
  struct Report: Encodable {
    let url: String
    let source: String
    /// True if the response was no longer fresh.
    let stale: Bool
    let status: Int
    let bytes: Int
    let contentType: String?
    let image: ImageReport?
    let output: String?
    let notKept: String?
    let closeDelimited: Bool?
    let duration_ms: Double
  }

  func checkArguments() throws {
    if result.kind == .bytes, decoding.size != nil {
      throw ValidationError("--size needs an image; leave out --as bytes")
    }
    if result.output?.isEmpty == true { throw ValidationError("--output is empty; name a file") }
    if let output = result.output, result.kind == .image, ImageEncoders.ofTool.isForeign(fileName: output),
      decoding.changesPixels || unencodable(output) == nil
    {
      throw ValidationError(
        "fetch cannot encode '\(output)'; use a name that ends in \(ImageEncoders.ofTool.names)"
          + (decoding.size == nil ? ", or write the body unchanged with --as bytes" : ""))
    }
    if result.json, result.output == "-" {
      throw ValidationError("--json and --output - both need standard output; write one of them to a file")
    }
  }

  func run() async throws {
    let report: Report
    let observer = FetchObserver()
    do {
      report = try await Interruption().runCancellable { try await load(observer) }
    } catch let error as LoadError {
      throw Failure(
        error, attempts: observer.failure?.attempts ?? 1, json: result.json, kept: kept, advice: advice)
    }
    if result.json { return try Output.json(report) }
    let parts =
      [
        report.url, report.image?.summary ?? report.contentType, Text.bytes(report.bytes),
        source(of: report) + (report.stale ? ", stale" : ""),
        Text.duration(.milliseconds(report.duration_ms)),
        report.output.map { "-> " + $0 + reencoding(of: report, at: $0) },
      ] as [String?]
    let line = parts.compactMap(\.self).joined(separator: "  ")
    if result.output == "-" { Output.note(line) } else { try Output.line(line) }
  }

  /// Returns the tier of the response in a word; a file is not loaded from a network.
  private func source(of report: Report) -> String {
    let isFile = report.url.hasPrefix("file:") && report.source == Source.network.rawValue
    return isFile ? "file" : report.source
  }

  /// Returns the format and the size of a re-encoded image in parentheses; empty if the body was written unchanged.
  private func reencoding(of report: Report, at output: String) -> String {
    guard let image = report.image,
      let format = pixels.decoder.formats.first(where: { $0.id == image.format }),
      let encoding = try? newEncoding(of: format, at: output)
    else { return "" }
    let size = Platform.size(ofFileAt: output).map { ", " + Text.bytes($0) } ?? ""
    return " (re-encoded as \(encoding.format.id)\(size))"
  }

  private func load(_ observer: FetchObserver) async throws -> Report {
    let request = try Request(
      url, headers: try connection.requestHeaders(), options: decoding.options(), priority: .visible,
      cachePolicy: storage.policy)
    try TransferOptions.check(request.url, allowsFiles: connection.allowsFiles)
    let loader = try transfer.byteLoader()
    let report: Report
    do {
      report = try await load(request, with: loader, observer)
    } catch {
      // A partial response may still be written to disk.
      await loader.settle()
      throw error
    }
    await loader.settle()
    return report
  }

  private func load(
    _ request: ImageRequest, with loader: ByteLoader, _ observer: FetchObserver
  ) async throws -> Report {
    let start = loader.timeline.now
    var request = request
    if result.kind == .image { request.accept = pixels.decoder.acceptedTypes }
    var loaded = try await loader.load(request, observer: observer)
    var image: DecodedFile?
    if result.kind == .image {
      // No memory cache: the image is requested only once.
      let images = ImageLoader(bytes: loader, decoder: pixels.decoder, memory: MemoryCache(limit: 0))
      do throws(LoadError) {
        var options = request.options
        options.discardsPixels = try !needsPixels(of: loaded.bytes)
        let request = request.decoded(with: options)
        let (bytes, value) = try await images.decodeOrReload(loaded, for: request, observer: observer)
        (loaded, image) = (bytes, try DecodedFile(bytes.bytes, image: value, decoder: pixels.decoder))
      } catch {
        throw error.advisingReload(of: loaded)
      }
    }
    if let output = result.output { try write(loaded, image, to: output) }
    if let failure = loaded.storeFailure {
      Output.note("not stored in the cache: \(failure)" + (failure.remedy.map { "; " + $0 } ?? ""))
    }
    let isCloseDelimited = loaded.fetchMetrics?.isCloseDelimited ?? false
    // A decoded image is complete.
    if isCloseDelimited, image == nil {
      Output.note("the body ended with its connection, without a length: it may be truncated")
    }
    return Report(
      url: request.url, source: loaded.source.rawValue, stale: loaded.isStale, status: loaded.status,
      bytes: loaded.bytes.count, contentType: loaded.headers["content-type"],
      image: image.map(ImageReport.init), output: result.output,
      notKept: loaded.storeFailure?.description, closeDelimited: isCloseDelimited ? true : nil,
      duration_ms: (loader.timeline.now - start).milliseconds)
  }

  /// Returns whether the pixels of the image in `bytes` change or are written.
  private func needsPixels(of bytes: [UInt8]) throws(LoadError) -> Bool {
    guard let output = result.output else { return decoding.changesPixels }
    guard !decoding.changesPixels, let format = try? pixels.decoder.header(of: bytes).format else {
      return decoding.changesPixels
    }
    return try newEncoding(of: format, at: output) != nil
  }

  /// Writes the unchanged body, or a re-encoded image if the size or the file name requires it.
  private func write(
    _ loaded: LoadedBytes, _ decoded: DecodedFile?, to output: String
  ) throws(LoadError) {
    guard let decoded, let encoding = try newEncoding(of: decoded.header.format, at: output) else {
      return try FileIO.write(loaded.bytes, to: output)
    }
    try FileIO.write(decoded.image, as: encoding, to: output)
  }

  /// Returns the format that the name of the output has, if it can be decoded and not encoded. Only the body of an image in
  /// this format can be written.
  private func unencodable(_ output: String) -> ImageFormat? {
    guard ImageEncoders.ofTool.isForeign(fileName: output) else { return nil }
    return pixels.decoder.formats.first { $0.fileExtension == ImageEncoders.extension(of: output) }
  }

  /// Returns the encoding of the written image; nil if the body is written unchanged.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` if the name has another format, which cannot be encoded.
  private func newEncoding(of format: ImageFormat, at output: String) throws(LoadError) -> Image.Encoding? {
    let encoders = ImageEncoders.ofTool
    if let named = unencodable(output) {
      if named == format { return nil }
      throw LoadError(
        .unsupported,
        "the image is a \(format.name), and '\(output)' has the name of a \(named.name), which cannot be encoded; "
          + "use a name that ends in .\(encoders.encoding(for: format).format.fileExtension)")
    }
    let named = encoders.encoding(fileName: output)
    guard decoding.changesPixels || named.map({ $0.format != format }) == true else { return nil }
    return named ?? encoders.encoding(for: format)
  }
}
