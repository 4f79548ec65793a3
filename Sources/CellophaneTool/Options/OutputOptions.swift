internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// What a batch writes beside its results, and where.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: """
      A directory for the bodies; with --size, for the pictures resized. What is there under a name that is known \
      beforehand is not asked for, unless --reload.
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

  /// How files are named.
  func template() throws(LoadError) -> OutputName { try OutputName(names ?? "{index:8}") }

  /// - Throws: for what makes no sense together.
  func check(_ form: Form, _ picture: PictureOptions) throws {
    guard output != nil else {
      for (name, isGiven) in [
        ("names", names != nil), ("output-format", outputFormat != nil), ("quality", quality != nil),
        ("strip", strip), ("keep-metadata", keepMetadata),
      ] where isGiven { throw ValidationError("--\(name) needs --output") }
      return
    }
    do { _ = try template() } catch { throw ValidationError("--names: \(error.message)") }
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

  /// What is written of a line.
  func form(_ form: Form, _ picture: PictureOptions) -> OutputForm {
    OutputForm(
      hasPictures: form == .image, isChanged: picture.changesPixels, isSRGB: picture.makesSRGB,
      metadata: strip ? .stripped : keepMetadata ? .kept : .usual, format: outputFormat ?? .original,
      quality: quality ?? OutputForm.defaultQuality)
  }
}
