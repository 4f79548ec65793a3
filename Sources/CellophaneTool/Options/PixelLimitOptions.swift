internal import ArgumentParser
internal import Cellophane

/// The maximum size of decoded images.
struct PixelLimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Limit the number of pixels of an image.", valueName: "n"))
  var maxPixels = ImageDecoder().maximumPixels

  /// The decoder with the limit.
  var decoder: ImageDecoder { ImageDecoder(codecs: PictureCodec.ofTool, maximumPixels: maxPixels) }

  func validate() throws {
    guard maxPixels > 0 else { throw ValidationError("--max-pixels must be more than 0") }
  }
}
