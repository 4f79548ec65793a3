internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// `cellophane decode FILE...`
struct Decode: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decode PNG and JPEG files; report on each, or write the pixels of one.",
    discussion: """
      One result line for each file; the exit code is 2 when some fail. With one file, --rgba writes its pixels \
      as straight RGBA, one byte a channel, rows without padding, and --output writes it as PNG or JPEG.

      A picture that is not in sRGB says so (`Display P3, wide gamut`); --json has it as "color": where the file \
      says it ("source": none, icc, cicp, srgb, chrm or exif), "space" (gray, rgb or cmyk), the name of its \
      "profile", "srgb" and "wideGamut". Without a word in the file, colours are taken for sRGB.
      """)

  @Argument(help: "The files.")
  var files: [String]

  @Option(help: "Where the raw RGBA pixels are written; '-' is standard output. One file only.")
  var rgba: String?

  @Option(name: [.short, .long], help: "Where the picture is written, .png or .jpg. One file only.")
  var output: String?

  @Flag(name: .customLong("no-orient"), help: "Leave the EXIF orientation alone.")
  var leavesOrientation = false

  @Flag(help: "Take what there is of a file that ends early or is damaged; missing pixels are transparent.")
  var partial = false

  @OptionGroup var picture: PictureOptions

  @Option(help: "The most pixels a picture may have.")
  var maxPixels = ImageDecoder().maximumPixels

  @Flag(help: "Print one JSON object.")
  var json = false

  /// What `--json` prints of a file.
  struct Report: Encodable {
    let file: String
    var image: ImageReport?
    var error: ErrorReport?
  }

  func validate() throws {
    guard maxPixels > 0 else { throw ValidationError("--max-pixels is more than 0") }
    if files.count > 1, rgba != nil || output != nil {
      throw ValidationError("--rgba and --output take one file; there are \(files.count)")
    }
    if let output, Image.Encoding(fileName: output) == nil {
      throw ValidationError("--output ends in .png or .jpg, not '\(output)'")
    }
    for (index, path) in [rgba, output].enumerated() {
      guard let path, path != "-" else { continue }
      if files.contains(where: { Platform.areSame($0, path) }) {
        throw ValidationError("\(path) would be written over the picture that is read; choose another name")
      }
      if index == 1, let rgba, Platform.areSame(rgba, path) {
        throw ValidationError("--rgba and --output name the same file")
      }
    }
    if json, rgba == "-" { throw ValidationError("--json and --rgba - both want standard output") }
  }

  func run() async throws {
    var reports: [Report] = []
    var hasFailures = false
    for file in files {
      let report = self.report(on: file)
      if json {
        reports.append(report)
      } else if let image = report.image {
        if rgba == "-" {
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
    if json { try Output.json(["files": reports]) }
    if hasFailures { throw Failure(reported: .someFailed) }
  }

  private func report(on file: String) -> Report {
    let timeline = Timeline()
    let start = timeline.now
    do throws(LoadError) {
      var options = picture.options(appliesOrientation: !leavesOrientation)
      options.allowsPartial = partial
      // The file is not kept while its picture is written: both may be large.
      let decoded = try DecodedFile(
        FileOutput.read(file, limit: Self.largestFile), options: options,
        decoder: ImageDecoder(maximumPixels: maxPixels))
      if let rgba { try FileOutput.write(decoded.image.pixels, to: rgba) }
      if let output, let encoding = Image.Encoding(fileName: output) {
        try FileOutput.write(to: output) { write throws(LoadError) in
          try decoded.image.encode(as: encoding) { piece throws(LoadError) in
            guard timeline.now - start < Self.longestTime else {
              throw LoadError(.timeout, "decoding and writing the picture took more than \(Self.longestTime)")
            }
            try write(piece)
          }
        }
      }
      return Report(file: file, image: ImageReport(decoded))
    } catch {
      return Report(file: file, error: ErrorReport(error))
    }
  }

  /// How long a picture may take that is written, too. 9.5 s: none holds the others up for more than 10 s.
  private static var longestTime: Duration { .milliseconds(9_500) }

  // 512 MB: more than an uncompressed picture of the most pixels allowed by default needs.
  private static var largestFile: Int { 512 << 20 }
}
