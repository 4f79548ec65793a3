/// What made a result.
public struct SimulationTool: Sendable, Hashable, Codable {
  /// `cellophane`.
  public let name: String
  /// Its version.
  public let version: String
  /// The version of Swift that built it.
  public let swift: String
  /// The system and the processor.
  public let os: String

  init() {
    name = "cellophane"
    version = Self.version
    swift = Self.compiler
    os = "\(Self.system)-\(Self.processor)"
  }

  /// The version of the package.
  public static let version = "0.1.0"

  // A condition is the only way in which a compiler tells its version.
  private static var compiler: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #else
      "6.3"
    #endif
  }

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
