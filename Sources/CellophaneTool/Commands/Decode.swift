internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// `cellophane decode PATH...`
struct Decode: AsyncParsableCommand, CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Check image files, or write them resized or as raw pixels.",
    usage: "cellophane decode [<options>] <path> ...",
    discussion: """
      Decode prints one line per file. The exit code is 2 if a file fails. In a directory and below it, decode reads \
      the files whose names end in .png, .jpg, .jpeg, .gif, .webp or .avif, except hidden ones. Images of other formats \
      than JPEG are written as PNG, with .png behind another extension. With --output to a directory, images keep \
      their names; images from a directory also keep their folders. --rgba needs exactly one file.

      A line also names a color profile that is not sRGB, such as "Display P3, wide gamut". In the JSON, "color" has \
      the "source" of the profile in the file (none, icc, cicp, srgb, chrm or exif), the "space" (gray, rgb or cmyk), \
      the name of the "profile", "srgb" and "wideGamut". Untagged files count as sRGB.

      Examples:
        cellophane decode *.jpg
        cellophane decode photo.jpg --size 256x256 -o small.png
        cellophane decode photos --size 400x400 -o thumbnails
        cellophane decode photo.png --rgba - > pixels
      """)

  @Argument(
    help: ArgumentHelp(
      "Decode these files, file: URLs and directories; '-' is standard input.", valueName: "path"),
    completion: .file())
  var files: [String]

  @OptionGroup(title: "Result") var result: ResultOptions
  @OptionGroup(title: "Image") var decoding: DecodingOptions
  @OptionGroup(title: "Image") var limits: LimitOptions
  @OptionGroup(title: "Image") var pixels: PixelLimitOptions

  /// The form of the result.
  struct ResultOptions: ParsableArguments {
    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        "Write the image to this file, which ends in .png, .jpg, .webp or .avif, or all images to this directory.",
        valueName: "path"),
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
    /// The file of `--output`; nil if nothing was written.
    var output: String?
    var error: ErrorReport?
  }

  func checkArguments() throws {
    let (rgba, output) = (result.rgba, result.output)
    try checkOutputs()
    for (index, path) in [rgba, output].enumerated() {
      guard let path, path != "-" else { continue }
      if files.contains(where: { Platform.areSame((try? FileIO.path(of: $0)) ?? $0, path) }) {
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
    let subjects = subjects
    var folder = try writesFolder ? result.output.map { try OutputFolder($0, of: subjects) } : nil
    for subject in subjects {
      let report = self.report(on: subject, &folder)
      if result.json {
        reports.append(report)
      } else if let image = report.image {
        let line = ["\(subject.name)  \(image.summary)", report.output].compactMap(\.self).joined(
          separator: "  -> ")
        if result.rgba == "-" { Output.note(line) } else { try Output.line(line) }
      }
      if Output.hasNoReader { throw Failure(reported: .failed) }
      if let error = report.error {
        Output.error("\(error.kind): \(error.message(naming: subject.name))")
        hasFailures = true
      }
    }
    if result.json { try Output.json(["files": reports]) }
    if hasFailures { throw Failure(reported: .someFailed) }
  }

  private func report(on subject: Subject, _ folder: inout OutputFolder?) -> Report {
    let watch = DecodingWatch(limit: Self.longestTime)
    var looksLikeList = false
    do throws(LoadError) {
      let decoded = try decode(try subject.path.get(), &looksLikeList)
      if let rgba = result.rgba { try FileIO.write(decoded.image.pixels, to: rgba) }
      let target =
        try folder?.target(of: subject, decoded.header.format)
        ?? result.output.flatMap { output in
          ImageEncoders.ofTool.encoding(fileName: output).map { (output, $0) }
        }
      if let (output, encoding) = target {
        try FileIO.write(to: output) { write throws(LoadError) in
          try decoded.image.encode(as: encoding) { piece throws(LoadError) in
            try watch.check()
            try write(piece)
          }
        }
      }
      return Report(file: subject.name, image: ImageReport(decoded), output: target?.0)
    } catch {
      let isList = looksLikeList && error.detail == .unknownFormat
      let next =
        isList
        ? "to load a list of URLs, use cellophane prefetch"
        : error.detail == .pixelLimit ? "raise --max-pixels" : nil
      return Report(file: subject.name, error: ErrorReport(error).adding(next))
    }
  }

  /// Returns the image of `file`. On return, the bytes of the file are released: they and an encoded image may be large.
  private func decode(_ file: String, _ looksLikeList: inout Bool) throws(LoadError) -> DecodedFile {
    // The pixels of --rgba are those of the file, and a check needs no conversion.
    var options = decoding.options(
      appliesOrientation: !limits.ignoresOrientation, keepsColors: result.rgba != nil || result.output == nil)
    options.allowsPartial = limits.partial
    // A check needs the memory of a few rows.
    options.discardsPixels =
      result.rgba == nil && result.output == nil && !limits.partial && !decoding.changesPixels
    let bytes = try FileIO.read(file, limit: Self.largestFile)
    looksLikeList = URLText.begins(with: bytes)
    do throws(LoadError) { return try DecodedFile(bytes, options: options, decoder: pixels.decoder) } catch {
      guard error.kind == .truncated || error.kind == .corrupt else { throw error }
      let isPartial = options.allowsPartial
      options.allowsPartial = true
      options.discardsPixels = false
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
