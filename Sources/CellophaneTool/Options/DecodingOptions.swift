public import ArgumentParser
public import Cellophane
internal import CellophaneBatch

/// The size and the colors of decoded images.
struct DecodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Resize images to this size; 256 means 256x256. Smaller images keep their size.", valueName: "WxH"))
  var size: PixelSize?

  @Option(
    help: ArgumentHelp(
      """
      Select the shape of resized images. fit: within --size; border: within --size, with white around them up to --size; \
      fill: --size, without the parts outside; shortest-side: the shorter side has the length of --size; exact: stretched \
      to --size. (default: fit)
      """, valueName: "mode"))
  var mode: Mode?

  @Option(help: ArgumentHelp("Resize with this filter. (default: area)", valueName: "filter"))
  var filter: ResizeFilter?

  /// The modes of the library, and a border.
  enum Mode: String, Choice {
    case fit, border, fill
    case shortestSide = "shortest-side"
    case exact

    var ofLibrary: ResizeMode { ResizeMode(rawValue: rawValue) ?? .fit }
  }

  @Flag(help: "Enlarge images that are smaller than --size.")
  var enlarge = false

  #if ColorManagement
    @Flag(
      name: .customLong("srgb"), inversion: .prefixedNo,
      help: """
        Convert tagged images to sRGB, or keep their colors and color profile. Untagged images count as sRGB. \
        (default: --srgb for written images)
        """)
    var convertsToSRGB: Bool?
  #endif

  func validate() throws {
    guard size == nil else { return }
    for (name, isGiven) in [("mode", mode != nil), ("filter", filter != nil), ("enlarge", enlarge)]
    where isGiven {
      throw ValidationError("--\(name) needs --size")
    }
  }

  /// True if images are encoded again, even if they could be written as they are.
  var changesPixels: Bool {
    #if ColorManagement
      size != nil || convertsToSRGB == true
    #else
      size != nil
    #endif
  }

  /// Returns the options of the decoder. Colors are converted by default, unless `keepsColors` is true.
  func options(appliesOrientation: Bool = true, keepsColors: Bool = false) -> ImageOptions {
    var options = ImageOptions(
      targetSize: size, mode: mode?.ofLibrary ?? .fit, appliesOrientation: appliesOrientation)
    if let size, mode == .border {
      options.processors = [.pad(to: size, color: Image.Pixel(red: 255, green: 255, blue: 255))]
    }
    if let filter { options.filter = filter }
    options.enlarges = enlarge
    #if ColorManagement
      options.convertsToSRGB = convertsToSRGB ?? !keepsColors
    #endif
    return options
  }
}

extension ResizeFilter: Choice {}

extension PixelSize: ExpressibleByArgument {
  /// Parses `WIDTHxHEIGHT`, or one number for a square; nil for any other text.
  public init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard let width = sides.first, let height = sides.last, sides.count <= 2,
      sides.allSatisfy((1...Self.longestSide).contains)
    else { return nil }
    self.init(width: width, height: height)
  }

  /// The size in the form of the command line.
  public var defaultValueDescription: String { "\(width)x\(height)" }

  // The longest side of a JPEG. PNG allows more, but no screen needs it.
  private static var longestSide: Int { 65_535 }
}

/// The expected content of a URL.
enum ContentKind: String, Choice {
  /// A decodable image.
  case image
  /// Any bytes.
  case bytes
}

extension FileIO {
  /// Encodes `image` and writes it to `path`.
  static func write(_ image: Image, as encoding: Image.Encoding, to path: String) throws(LoadError) {
    try write(to: path) { write throws(LoadError) in try image.encode(as: encoding, to: write) }
  }
}
