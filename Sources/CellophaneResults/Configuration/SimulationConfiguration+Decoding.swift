package import Cellophane

extension SimulationConfiguration {
  /// The decoding of images in virtual time.
  package struct Decoding: Sendable, Hashable, Codable {
    /// The use of pixels.
    package enum Mode: String, Sendable, CaseIterable {
      /// Files contain a size and a row number, and nothing is decoded.
      case model
      /// Files are images and are decoded, and the pixels of a slot identify its row. The modeled time
      /// passes, so that results are equal to those of ``model``.
      case real
    }

    /// The use of pixels.
    package var mode = Mode.model
    /// The number of cores for decoding. 2: the fast cores of a phone (assumed).
    package var cores = 2
    /// The time to decode a million pixels of a PNG file, in ms: for images up to 256², 512² and 1024² px,
    /// and for larger ones. Assumed, like ``jpeg``, after measurements of small photographs on one core of an
    /// x86-64 server. `cellophane simulate --calibrate` measures it.
    package var png = [10.0, 10.0, 10.0, 10.0]
    /// The time to decode a million pixels of a JPEG file, in ms, for the same sizes as ``png``.
    package var jpeg = [6.0, 6.0, 6.0, 6.0]

    /// The upper limits of the size classes, in pixels; the last class contains all larger images. Small
    /// files cost more per pixel, because each file needs new tables and memory.
    package static let classes = [256 * 256, 512 * 512, 1_024 * 1_024]

    /// Creates the default configuration.
    package init() {}

    /// The accepted numbers of cores of one machine.
    package static let coreCounts = 1...256
    /// The accepted costs, in ms: up to a minute, longer than any deadline.
    package static let costs = 0.0...60_000.0

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case mode, cores
      case png = "png_ms_per_mpx"
      case jpeg = "jpeg_ms_per_mpx"
    }

    /// Decodes the present fields; missing ones have their defaults.
    package init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      mode = try fields.choice(.mode) ?? mode
      cores = try fields.value(.cores) ?? cores
      png = try fields.value(.png) ?? png
      jpeg = try fields.value(.jpeg) ?? jpeg
    }

    /// Encodes the format that ``init(from:)`` decodes.
    package func encode(to encoder: any Encoder) throws {
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
          throw ScenarioField.error(
            path, "must be four numbers: for images up to 256², 512² and 1024² px, and for larger ones")
        }
        for (index, cost) in costs.enumerated() {
          try ScenarioField.check(cost, "\(path)[\(index)]", within: Self.costs)
        }
      }
    }

    /// Returns the index of the size class of `size`.
    package static func sizeClass(of size: PixelSize) -> Int {
      let area = size.width * size.height
      return classes.firstIndex { area <= $0 } ?? classes.count
    }

    /// Returns the time to decode a file.
    package func time(of size: PixelSize, isPNG: Bool) -> Duration {
      let megapixels = Double(size.width * size.height) / 1_000_000
      return .roundedSeconds(megapixels * (isPNG ? png : jpeg)[Self.sizeClass(of: size)] / 1_000)
    }
  }
}
