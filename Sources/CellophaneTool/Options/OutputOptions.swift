internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// The files or archives that a batch writes.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      """
      Write the bodies, or with --size the resized images, to this directory, or to an object store: s3://bucket/prefix. \
      A file of the same request and options is not requested again, unless --reload.
      """, valueName: "dir"),
    completion: .directory)
  var output: String?

  @Option(
    name: .customLong("s3-endpoint"),
    help: ArgumentHelp(
      """
      Use this server for --output s3://bucket/prefix, such as http://localhost:9000. Its buckets are in the path of its \
      URLs. (default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, or AWS in the region AWS_REGION, us-east-1)
      """, valueName: "url"))
  var s3Endpoint: String?

  @Option(
    help: ArgumentHelp(
      "Name files by this template; / makes folders, and images get the extension of their format. (default: {index:8})",
      discussion: """
        Fields: {index} of the record, {hash} of the content, {key} of the request, {host}, {name} and {ext} of the \
        URL, and the columns of the list, as in {id}. {index:8} has eight digits; {hash:2}/{hash} makes 256 folders.
        """, valueName: "template"))
  var names: String?

  @Option(
    help: ArgumentHelp(
      "Write images in this format; original keeps that of the body. (default: original)", valueName: "format"
    ))
  var outputFormat: OutputFormat?

  @Option(
    help: ArgumentHelp(
      "Set the quality of re-encoded images of lossy formats, 1 to 100. (default: 90)", valueName: "n"))
  var quality: Int?

  @Flag(
    help: """
      Remove EXIF, XMP, texts and thumbnails from original bodies, without re-encoding. The color profile and the \
      orientation stay.
      """)
  var strip = false

  @Flag(
    help: """
      Keep EXIF, with the orientation set to upright, and any color profile in re-encoded images. Without it, they \
      have a profile only if their colors are not sRGB.
      """)
  var keepMetadata = false

  @Flag(
    name: .customLong("webdataset"),
    help: """
      Write images and results as samples to WebDataset archives of at most 1 GiB, 000000.tar and so on, each with \
      an index 000000.jsonl. Samples of finished archives are not requested again. Several processes may write to \
      one directory.
      """)
  var isWebDataset = false

  @Option(
    help: ArgumentHelp(
      "Write the text of this column or field as KEY.txt into the samples of --webdataset.", valueName: "name"
    ))
  var captionColumn: String?

  @Option(
    help: ArgumentHelp("Limit the samples per archive of --webdataset. (default: 10000)", valueName: "n"))
  var perShard: Int?

  @Flag(
    name: .customLong("ignore-opt-out"),
    help: """
      Also write images whose X-Robots-Tag, TDM-Reservation or tdmrep.json forbids data sets. (default: such a transfer \
      ends before the body, and the record is opted-out)
      """)
  var ignoresOptOut = false

  /// The columns or fields of the list that names and captions use.
  var columns: [String] { ((try? template())?.columns ?? []) + (captionColumn.map { [$0] } ?? []) }

  /// Returns the template of the file names.
  func template() throws(LoadError) -> OutputName { try OutputName(names ?? "{index:8}") }

  /// Checks these options together with the kind of content and the decoding options.
  ///
  /// - Throws: `ValidationError` if they do not fit together.
  func check(_ kind: ContentKind, _ decoding: DecodingOptions, _ records: DataSetOptions) throws {
    if output?.isEmpty == true { throw ValidationError("--output is empty; name a directory") }
    try checkLocation()
    guard output != nil else {
      for (name, isGiven) in [
        ("names", names != nil), ("output-format", outputFormat != nil), ("quality", quality != nil),
        ("strip", strip), ("keep-metadata", keepMetadata),
        ("webdataset", isWebDataset), ("per-shard", perShard != nil),
        ("caption-column", captionColumn != nil), ("ignore-opt-out", ignoresOptOut),
      ] where isGiven { throw ValidationError("--\(name) needs --output") }
      return
    }
    do throws(LoadError) {
      if try template().usesContentHash, isWebDataset {
        throw LoadError(
          .invalidRequest, "--webdataset needs keys that are known before loading; use a name without {hash}")
      }
    } catch { throw ValidationError("--names: \(error.message)") }
    if isWebDataset, kind == .bytes { throw ValidationError("--webdataset needs --as image") }
    if let perShard, perShard < 1 || !isWebDataset {
      throw ValidationError("--per-shard must be at least 1, and needs --webdataset")
    }
    if captionColumn != nil, !isWebDataset { throw ValidationError("--caption-column needs --webdataset") }
    if kind == .bytes, outputFormat ?? .original != .original {
      throw ValidationError("--output-format \(outputFormat?.rawValue ?? "") needs --as image")
    }
    if strip, keepMetadata {
      throw ValidationError("--strip and --keep-metadata are mutually exclusive; leave one out")
    }
    let settings = settings(kind, decoding, records)
    if strip, records.cropColumns != nil {
      throw ValidationError("--strip changes only original images; leave out --crop-columns")
    }
    if ignoresOptOut, kind == .bytes { throw ValidationError("--ignore-opt-out needs --as image") }
    if strip, !settings.writesImages || settings.changesPixels {
      throw ValidationError("--strip changes only original images; use it with --as image and without --size")
    }
    if keepMetadata, !settings.writesImages || !settings.changesPixels && settings.format == nil {
      throw ValidationError(
        "--keep-metadata changes only re-encoded images; use it with --size or --output-format")
    }
    guard let quality else { return }
    guard (1...100).contains(quality) else { throw ValidationError("--quality must be from 1 to 100") }
    let hasQuality = settings.format.map(settings.encoders.hasQuality)
    guard settings.writesImages, hasQuality ?? settings.changesPixels else {
      throw ValidationError(
        "--quality changes only re-encoded images of lossy formats; use it with --size or --output-format jpeg"
      )
    }
  }

  /// Opens the output; nil without `--output`.
  ///
  /// - Parameters:
  ///   - replaces: True to replace existing files. Samples of archives are never replaced.
  ///   - numbersRepeat: True if two records may have the same number.
  ///   - transfer: The options of the network and of the cache directory, for an object store.
  func open(
    _ kind: ContentKind, _ decoding: DecodingOptions, _ records: DataSetOptions, replaces: Bool,
    numbersRepeat: Bool, _ transfer: TransferOptions
  ) async throws(LoadError) -> (any BatchOutput)? {
    guard let output else { return nil }
    let (name, settings) = (try template(), settings(kind, decoding, records))
    // 10 000: some hundred MB of thumbnails.
    let perShard = perShard ?? 10_000
    if let store = try objectStore(transfer) {
      guard isWebDataset else {
        return try await S3Files(
          store.client, name: name, settings: settings, replaces: replaces, numbersRepeat: numbersRepeat)
      }
      return try await S3Archives.open(
        store.client, try StagingFolder(in: store.stagingParent(), for: store.name), name: name,
        settings: settings,
        perShard: perShard, captionColumn: captionColumn, numbersRepeat: numbersRepeat)
    }
    guard isWebDataset else {
      return try OutputFolder(
        output, name: name, settings: settings, replaces: replaces, numbersRepeat: numbersRepeat)
    }
    return try ShardFolder(
      output, name: name, settings: settings, perShard: perShard, captionColumn: captionColumn,
      numbersRepeat: numbersRepeat)
  }

  private func settings(
    _ kind: ContentKind, _ decoding: DecodingOptions, _ records: DataSetOptions
  ) -> OutputSettings {
    var settings = OutputSettings(
      writesImages: kind == .image, changesPixels: decoding.changesPixels || records.cropColumns != nil,
      metadata: strip ? .stripped : keepMetadata ? .kept : .usual, format: outputFormat?.encoder?.format,
      quality: quality ?? OutputSettings.defaultQuality)
    settings.encoders = .ofTool
    settings.picture = decoding.options()
    settings.columns = (try? records.columns()) ?? RecordColumns()
    return settings
  }
}
