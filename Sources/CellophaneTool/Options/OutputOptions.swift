internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// What a batch writes beside its results, and where.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: """
      A directory for the bodies; with --size, for the pictures resized. What is there is not asked for, unless \
      --reload; by which content a request is named there, an index in it says.
      """)
  var output: String?

  @Option(
    help: ArgumentHelp(
      """
      How files are named, below folders that are made: {index} is the line, {hash} the content, {key} the request, \
      {host} and {name} are of the URL. {index:8} is of eight digits, {hash:2}/{hash} has 256 folders. An extension \
      follows for pictures. [default: {index:8}]
      """, valueName: "template"))
  var names: String?

  @Option(
    help: "Write pictures as png, jpeg, or in the format that they came in: original. [default: original]")
  var outputFormat: OutputForm.Format?

  @Option(help: "The quality of JPEGs that are not written as they came, 1 to 100. [default: 90]")
  var quality: Int?

  @Flag(
    help: """
      Take EXIF, XMP, texts and thumbnails out of what is written as it came. Pixels stay as they are coded; colour \
      profiles, and which side is up, stay, too.
      """)
  var strip = false

  @Flag(
    help: """
      Give pictures that are made the EXIF (upright) and colour profile of the one they are made of. Without it they \
      have a profile where it is not sRGB, and nothing else.
      """)
  var keepMetadata = false

  @Flag(
    name: .customLong("webdataset"),
    help: """
      Write samples, a picture and its result as JSON each, into archives as WebDataset reads them: 000000.tar and so on, \
      of at most 1 GiB, each with an index 000000.jsonl. An archive is there once it is whole. What is in one is \
      not asked for again. Several processes may write into one directory.
      """)
  var isWebDataset = false

  @Option(help: "The most samples of an archive of --webdataset. [default: 10000]")
  var perShard: Int?

  /// How files are named.
  func template() throws(LoadError) -> OutputName { try OutputName(names ?? "{index:8}") }

  /// - Throws: for what makes no sense together.
  func check(_ form: Form, _ picture: PictureOptions) throws {
    guard output != nil else {
      for (name, isGiven) in [
        ("names", names != nil), ("output-format", outputFormat != nil), ("quality", quality != nil),
        ("strip", strip), ("keep-metadata", keepMetadata),
        ("webdataset", isWebDataset), ("per-shard", perShard != nil),
      ] where isGiven { throw ValidationError("--\(name) needs --output") }
      return
    }
    do throws(LoadError) {
      if try template().isOfContent, isWebDataset {
        throw LoadError(.invalidRequest, "with --webdataset, keys are told before loading: not by {hash}")
      }
    } catch { throw ValidationError("--names: \(error.message)") }
    if isWebDataset, form == .bytes { throw ValidationError("--webdataset needs --as image") }
    if let perShard, perShard < 1 || !isWebDataset {
      throw ValidationError("--per-shard is at least 1, and for --webdataset")
    }
    if form == .bytes, outputFormat ?? .original != .original {
      throw ValidationError("--output-format \(outputFormat?.rawValue ?? "") needs --as image")
    }
    if strip, keepMetadata { throw ValidationError("--strip and --keep-metadata exclude each other") }
    let written = self.form(form, picture)
    if strip, !written.hasPictures || written.isChanged {
      throw ValidationError("--strip is for pictures as they came: with --as image, without --size")
    }
    if keepMetadata, !written.hasPictures || !written.isChanged && written.format == .original {
      throw ValidationError("--keep-metadata is for pictures that are made: with --size or --output-format")
    }
    guard let quality else { return }
    guard (1...100).contains(quality) else { throw ValidationError("--quality is from 1 to 100") }
    guard written.hasPictures, written.format != .png, written.isChanged || written.format == .jpeg else {
      throw ValidationError("--quality is for JPEGs that are made: with --size, or --output-format jpeg")
    }
  }

  /// Where it is written; nil for nowhere.
  ///
  /// - Parameters:
  ///   - replaces: Files that are there are written anew; archives never are.
  ///   - numbersRepeat: Two lines of the list may have one number.
  func open(
    _ form: Form, _ picture: PictureOptions, replaces: Bool, numbersRepeat: Bool
  ) throws(LoadError) -> (any BatchOutput)? {
    guard let output else { return nil }
    let (name, form) = (try template(), self.form(form, picture))
    guard isWebDataset else {
      return try OutputFolder(
        output, name: name, form: form, replaces: replaces, numbersRepeat: numbersRepeat)
    }
    // 10 000: some hundred MB of thumbnails.
    return try ShardFolder(output, name: name, form: form, perShard: perShard ?? 10_000)
  }

  /// What is written of a line.
  private func form(_ form: Form, _ picture: PictureOptions) -> OutputForm {
    OutputForm(
      hasPictures: form == .image, isChanged: picture.changesPixels, isSRGB: picture.makesSRGB,
      metadata: strip ? .stripped : keepMetadata ? .kept : .usual, format: outputFormat ?? .original,
      quality: quality ?? OutputForm.defaultQuality)
  }
}
