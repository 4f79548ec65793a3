internal import Cellophane

extension SimulationConfiguration {
  /// What decoding takes in virtual time.
  public struct Decoding: Sendable, Hashable, Codable {
    /// How many pictures at once. 2: the fast cores of a phone (assumed).
    public var cores = 2
    /// For a million pixels of a PNG file, in ms. Assumed, as ``jpeg``, after what this library takes for small
    /// photographs on one core of an x86-64 server.
    public var png = 10.0
    /// For a million pixels of a JPEG file, in ms.
    public var jpeg = 6.0

    /// The defaults.
    public init() {}

    /// The numbers of cores that can be played: of a machine, not of a data centre.
    public static let coreCounts = 1...256
    /// The costs that can be played, in ms: up to a minute, longer than any deadline.
    public static let costs = 0.0...60_000.0

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case cores
      case png = "png_ms_per_mpx"
      case jpeg = "jpeg_ms_per_mpx"
    }

    /// Reads the fields that are there.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      cores = try fields.value(.cores) ?? cores
      png = try fields.value(.png) ?? png
      jpeg = try fields.value(.jpeg) ?? jpeg
    }

    func check() throws(LoadError) {
      try ScenarioField.check(cores, "decoding.cores", within: Self.coreCounts)
      try ScenarioField.check(png, "decoding.png_ms_per_mpx", within: Self.costs)
      try ScenarioField.check(jpeg, "decoding.jpeg_ms_per_mpx", within: Self.costs)
    }
  }
}
