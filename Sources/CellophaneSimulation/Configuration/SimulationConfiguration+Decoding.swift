internal import Cellophane

extension SimulationConfiguration {
  /// What decoding takes in virtual time.
  public struct Decoding: Sendable, Hashable, Codable {
    /// Whether there are pixels.
    public enum Mode: String, Sendable, CaseIterable {
      /// Files have a size and a row, and nothing is decoded.
      case model
      /// Files are pictures, which are decoded, and what a slot shows is read from its pixels; the time that passes is
      /// the modelled one, so that results are the same.
      case real
    }

    /// Whether there are pixels.
    public var mode = Mode.model
    /// How many pictures at once. 2: the fast cores of a phone (assumed).
    public var cores = 2
    /// For a million pixels of a PNG file, in ms, by ``classes``. Assumed, as ``jpeg``, after what this library
    /// takes for small photographs on one core of an x86-64 server; `simulate --calibrate` measures it.
    public var png = [10.0, 10.0, 10.0, 10.0]
    /// For a million pixels of a JPEG file, in ms, by ``classes``.
    public var jpeg = [6.0, 6.0, 6.0, 6.0]

    /// The largest pictures of the classes of size, in pixels; the last class has all that are larger. Small files cost
    /// more for each pixel: tables are built and memory is set up for every file.
    public static let classes = [256 * 256, 512 * 512, 1_024 * 1_024]

    /// The defaults.
    public init() {}

    /// The numbers of cores that can be played: of a machine, not of a data centre.
    public static let coreCounts = 1...256
    /// The costs that can be played, in ms: up to a minute, longer than any deadline.
    public static let costs = 0.0...60_000.0

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case mode, cores
      case png = "png_ms_per_mpx"
      case jpeg = "jpeg_ms_per_mpx"
    }

    /// Reads the fields that are there.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      mode = try fields.choice(.mode) ?? mode
      cores = try fields.value(.cores) ?? cores
      png = try fields.value(.png) ?? png
      jpeg = try fields.value(.jpeg) ?? jpeg
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(mode.rawValue, forKey: .mode)
      try container.encode(cores, forKey: .cores)
      try container.encode(png, forKey: .png)
      try container.encode(jpeg, forKey: .jpeg)
    }

    func check() throws(LoadError) {
      try ScenarioField.check(cores, "decoding.cores", within: Self.coreCounts)
      for (costs, path) in [(png, "decoding.png_ms_per_mpx"), (jpeg, "decoding.jpeg_ms_per_mpx")] {
        guard costs.count == Self.classes.count + 1 else {
          throw ScenarioField.refused(
            path, "must be four numbers, for pictures up to 256², 512², 1024² px and beyond")
        }
        for (index, cost) in costs.enumerated() {
          try ScenarioField.check(cost, "\(path)[\(index)]", within: Self.costs)
        }
      }
    }

    /// The class of a picture of `size`.
    static func sizeClass(of size: PixelSize) -> Int {
      let area = size.width * size.height
      return classes.firstIndex { area <= $0 } ?? classes.count
    }

    /// The time for one file.
    func time(of size: PixelSize, isPNG: Bool) -> Duration {
      let megapixels = Double(size.width * size.height) / 1_000_000
      return .roundedSeconds(megapixels * (isPNG ? png : jpeg)[Self.sizeClass(of: size)] / 1_000)
    }
  }
}
