/// What made a result.
public struct SimulationTool: Sendable, Hashable, Codable {
  /// `cellophane`.
  public let name: String
  /// Its version.
  public let version: String
  /// The system and the processor.
  public let os: String

  init() {
    name = "cellophane"
    version = Self.version
    os = "\(Self.system)-\(Self.processor)"
  }

  /// The version of the package.
  public static let version = "0.1.0"

  private static var system: String {
    #if os(Linux)
      "linux"
    #elseif os(macOS)
      "macos"
    #else
      "other"
    #endif
  }

  private static var processor: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "other"
    #endif
  }
}
