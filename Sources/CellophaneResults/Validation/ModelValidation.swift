/// The error of the model of virtual time. The same scenario runs over real sockets to an embedded origin,
/// which shapes the link when it writes, and in virtual time. The transfers of both are compared one by one, and
/// the blank shares as the result of all of them.
package struct ModelValidation: Sendable, Hashable, Codable {
  /// The numbers of transfers on both sides.
  package struct Transfers: Sendable, Hashable, Codable {
    /// Transfers that completed on both sides.
    package let matched: Int
    /// Transfers that completed in real time only. In virtual time they were cancelled or not started.
    package let realOnly: Int
    /// Transfers that completed in virtual time only.
    package let virtualOnly: Int

    /// Creates the numbers of transfers.
    package init(matched: Int, realOnly: Int, virtualOnly: Int) {
      self.matched = matched
      self.realOnly = realOnly
      self.virtualOnly = virtualOnly
    }

    private enum CodingKeys: String, CodingKey {
      case matched
      case realOnly = "real_only"
      case virtualOnly = "virtual_only"
    }
  }

  /// The blank shares of both runs.
  package struct BlankRatio: Sendable, Hashable, Codable {
    /// The share in real time.
    package let real: Double
    /// The share in virtual time.
    package let virtual: Double

    /// Creates a pair of shares; nil if one is unknown.
    package init?(real: Double?, virtual: Double?) {
      guard let real, let virtual else { return nil }
      (self.real, self.virtual) = (real, virtual)
    }
  }

  /// The name of the schema. New versions only add fields.
  package static let schema = "cellophane.validate/1"

  /// The name of the schema.
  package let schema: String
  /// The tool that measured it.
  package let tool: SimulationTool
  /// The configuration, in virtual time.
  package let config: SimulationConfiguration
  /// The blank shares; nil without visible images.
  package let blankRatio: BlankRatio?
  /// The frames of the real run that were shown late: a busy machine delays frames and transfers.
  package let lateFrames: Int?
  /// The numbers of transfers.
  package let transfers: Transfers
  /// The time from the start of a transfer to its first byte; nil without transfers.
  package let firstByte: Deviation?
  /// The time from the start of a transfer to its last byte; nil without transfers.
  package let completion: Deviation?

  private enum CodingKeys: String, CodingKey {
    case schema, tool, config, transfers, completion
    case blankRatio = "blank_ratio"
    case lateFrames = "late_frames"
    case firstByte = "first_byte"
  }

  /// Creates the result of a comparison of two runs of `config`.
  package init(
    _ config: SimulationConfiguration, blankRatio: BlankRatio? = nil, lateFrames: Int? = nil,
    transfers: Transfers, firstByte: Deviation?, completion: Deviation?
  ) {
    schema = Self.schema
    tool = SimulationTool()
    self.config = config
    self.blankRatio = blankRatio
    self.lateFrames = lateFrames
    self.transfers = transfers
    self.firstByte = firstByte
    self.completion = completion
  }

  /// The validation as JSON with sorted keys and a final line break.
  package func json() throws -> [UInt8] { try JSONText.lines(self) }
}
