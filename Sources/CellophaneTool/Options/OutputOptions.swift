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

  /// How files are named.
  func template() throws(LoadError) -> OutputName { try OutputName(names ?? "{index:8}") }

  /// - Throws: for what makes no sense together.
  func check(_ form: Form, _ picture: PictureOptions) throws {
    guard output != nil else {
      for (name, isGiven) in [
        ("names", names != nil), ("output-format", outputFormat != nil), ("quality", quality != nil),
      ] where isGiven { throw ValidationError("--\(name) needs --output") }
      return
    }
    do { _ = try template() } catch { throw ValidationError("--names: \(error.message)") }
    if form == .bytes, outputFormat ?? .original != .original {
      throw ValidationError("--output-format \(outputFormat?.rawValue ?? "") needs --as image")
    }
    guard let quality else { return }
    guard (1...100).contains(quality) else { throw ValidationError("--quality is from 1 to 100") }
    let form = self.form(form, picture)
    guard form.hasPictures, form.format != .png, form.isChanged || form.format == .jpeg else {
      throw ValidationError("--quality is of JPEGs that are made: with --size, or --output-format jpeg")
    }
  }

  /// What is written of a line.
  func form(_ form: Form, _ picture: PictureOptions) -> OutputForm {
    OutputForm(
      hasPictures: form == .image, isChanged: picture.changesPixels, format: outputFormat ?? .original,
      quality: quality ?? OutputForm.defaultQuality)
  }
}
