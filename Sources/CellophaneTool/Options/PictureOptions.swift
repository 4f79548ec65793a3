public import ArgumentParser
public import Cellophane

/// The options of commands that decode pictures.
struct PictureOptions: ParsableArguments {
  @Option(help: "The size wanted, WIDTHxHEIGHT in pixels; smaller pictures keep theirs.")
  var size: PixelSize?

  @Option(help: "How the picture is fitted to --size: fit, fill or exact.")
  var mode: ResizeMode = .fit

  @Option(help: "How pixels are made for --size: area or lanczos3.")
  var filter: ResizeFilter = .area

  @Flag(help: "Enlarge pictures that are smaller than --size.")
  var enlarge = false

  #if ColorManagement
    @Flag(name: .customLong("srgb"), help: "Convert colours to sRGB when the file says that they are not.")
    var convertsToSRGB = false
  #endif

  /// True when pictures may come out with other pixels than their files have.
  var changesPixels: Bool { size != nil || makesSRGB }

  /// True when colours come out as sRGB.
  var makesSRGB: Bool {
    #if ColorManagement
      convertsToSRGB
    #else
      false
    #endif
  }

  /// How a picture is decoded.
  func options(appliesOrientation: Bool = true) -> ImageOptions {
    var options = ImageOptions(targetSize: size, mode: mode, appliesOrientation: appliesOrientation)
    options.filter = filter
    options.enlarges = enlarge
    #if ColorManagement
      options.convertsToSRGB = convertsToSRGB
    #endif
    return options
  }
}

extension ResizeMode: Choice {}
extension ResizeFilter: Choice {}

extension PixelSize: ExpressibleByArgument {
  /// A size from `WIDTHxHEIGHT`, both at least 1.
  public init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), width > 0, height > 0,
      width <= Self.longestSide, height <= Self.longestSide
    else { return nil }
    self.init(width: width, height: height)
  }

  /// As it is written on the command line.
  public var defaultValueDescription: String { "\(width)x\(height)" }

  // The longest side that JPEG can have; PNG's is longer, but no screen's is.
  private static var longestSide: Int { 65_535 }
}

/// What a URL's bytes are loaded as.
enum Form: String, Choice {
  case image
  case bytes
}

extension FileOutput {
  /// Writes `image` to `path`, encoding it on the way.
  static func write(_ image: Image, as encoding: Image.Encoding, to path: String) throws(LoadError) {
    try write(to: path) { write throws(LoadError) in try image.encode(as: encoding, to: write) }
  }
}
