internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// `cellophane decode FILE...`
struct Decode: AsyncParsableCommand, CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Check PNG and JPEG files, or write the pixels of one.",
    usage: "cellophane decode [<options>] <file> ...",
    discussion: """
      Decode prints one line per file. The exit code is 2 if a file fails. --rgba and --output need exactly one file.

      A line also names a color profile that is not sRGB, such as "Display P3, wide gamut". In the JSON, "color" has \
      the "source" of the profile in the file (none, icc, cicp, srgb, chrm or exif), the "space" (gray, rgb or cmyk), \
      the name of the "profile", "srgb" and "wideGamut". Untagged files count as sRGB.

      Examples:
        cellophane decode *.jpg
        cellophane decode photo.jpg --size 256x256 -o small.png
        cellophane decode photo.png --rgba - > pixels
      """)

  @Argument(
    help: ArgumentHelp("Decode these files; '-' is standard input.", valueName: "file"), completion: .file())
  var files: [String]

  @OptionGroup(title: "Result") var result: ResultOptions
  @OptionGroup(title: "Image") var decoding: DecodingOptions
  @OptionGroup(title: "Image") var limits: LimitOptions
  @OptionGroup(title: "Image") var pixels: PixelLimitOptions

  /// The form of the result.
  struct ResultOptions: ParsableArguments {
    @Option(
      name: [.short, .long],
      help: ArgumentHelp("Write the image to this file, which ends in .png or .jpg.", valueName: "file"),
      completion: .file())
    var output: String?

    @Option(
      help: ArgumentHelp(
        """
        Write straight RGBA, one byte per channel and without row padding, to this file; '-' writes to standard \
        output.
        """, valueName: "file"),
      completion: .file())
    var rgba: String?

    @Flag(help: "Print one JSON object.")
    var json = false
  }

  /// The deviations from the file that are accepted.
  struct LimitOptions: ParsableArguments {
    @Flag(
      name: .customLong("no-orient"),
      help: "Do not apply the EXIF orientation. A written image file keeps it.")
    var ignoresOrientation = false

    @Flag(
      help:
        "Accept truncated and damaged files. Missing pixels are transparent, or white if the output is a JPEG."
    )
    var partial = false
  }

  /// The object of `--json` for a file.
  struct Report: Encodable {
    let file: String
    var image: ImageReport?
    var error: ErrorReport?
  }

  func checkArguments() throws {
    let (rgba, output) = (result.rgba, result.output)
    if files.count > 1, rgba != nil || output != nil {
      throw ValidationError("--rgba and --output need one file, but there are \(files.count)")
    }
    if let output, Image.Encoding(fileName: output) == nil {
      throw ValidationError("cannot encode '\(output)'; use a name that ends in .png or .jpg")
    }
    for (index, path) in [rgba, output].enumerated() {
      guard let path, path != "-" else { continue }
      if files.contains(where: { Platform.areSame($0, path) }) {
        throw ValidationError("\(path) would overwrite the decoded file; choose another name")
      }
      if index == 1, let rgba, Platform.areSame(rgba, path) {
        throw ValidationError("--rgba and --output name the same file; choose two names")
      }
    }
    if result.json, rgba == "-" {
      throw ValidationError("--json and --rgba - both need standard output; write one of them to a file")
    }
  }

  func run() async throws {
    var reports: [Report] = []
    var hasFailures = false
    for file in files {
      let report = self.report(on: file)
      if result.json {
        reports.append(report)
      } else if let image = report.image {
        if result.rgba == "-" {
          Output.note("\(file)  \(image.summary)")
        } else {
          try Output.line("\(file)  \(image.summary)")
        }
      }
      if Output.hasNoReader { throw Failure(reported: .failed) }
      if let error = report.error {
        Output.error("\(error.kind): \(error.message(naming: file))")
        hasFailures = true
      }
    }
    if result.json { try Output.json(["files": reports]) }
    if hasFailures { throw Failure(reported: .someFailed) }
  }

  private func report(on file: String) -> Report {
    let watch = DecodingWatch(limit: Self.longestTime)
    var looksLikeList = false
    do throws(LoadError) {
      let decoded = try decode(file, &looksLikeList)
      if let rgba = result.rgba { try FileIO.write(decoded.image.pixels, to: rgba) }
      if let output = result.output, let encoding = Image.Encoding(fileName: output) {
        try FileIO.write(to: output) { write throws(LoadError) in
          try decoded.image.encode(as: encoding) { piece throws(LoadError) in
            try watch.check()
            try write(piece)
          }
        }
      }
      return Report(file: file, image: ImageReport(decoded))
    } catch {
      let isList = looksLikeList && error.detail == .unknownFormat
      let next =
        isList
        ? "to load a list of URLs, use cellophane prefetch"
        : error.detail == .pixelLimit ? "raise --max-pixels" : nil
      return Report(file: file, error: ErrorReport(error).adding(next))
    }
  }

  /// Returns the image of `file`. On return, the bytes of the file are released: they and an encoded image may be large.
  private func decode(_ file: String, _ looksLikeList: inout Bool) throws(LoadError) -> DecodedFile {
    // The pixels of --rgba are those of the file, and a check needs no conversion.
    var options = decoding.options(
      appliesOrientation: !limits.ignoresOrientation, keepsColors: result.rgba != nil || result.output == nil)
    options.allowsPartial = limits.partial
    let bytes = try FileIO.read(file, limit: Self.largestFile)
    looksLikeList = URLText.begins(with: bytes)
    do throws(LoadError) { return try DecodedFile(bytes, options: options, decoder: pixels.decoder) } catch {
      guard error.kind == .truncated || error.kind == .corrupt else { throw error }
      let isPartial = options.allowsPartial
      options.allowsPartial = true
      let hasPixels =
        !isPartial && (try? DecodedFile(bytes, options: options, decoder: pixels.decoder)) != nil
      throw error.appending(hasPixels ? "; --partial accepts missing pixels" : "; no pixel can be decoded")
    }
  }

  /// The maximum processor time to decode and encode an image: a second and a half more than for decoding.
  private static var longestTime: Duration { .milliseconds(9_500) }

  // 512 MB: larger than an uncompressed image with the default number of pixels.
  private static var largestFile: Int { 512 << 20 }
}
