/// The tool that created a result.
package struct SimulationTool: Sendable, Hashable, Codable {
  /// The name: `cellophane`.
  package let name: String
  /// The version.
  package let version: String
  /// The version of the Swift compiler that built it.
  package let swift: String
  /// The operating system and the processor.
  package let os: String

  init() {
    name = "cellophane"
    version = Self.version
    swift = Self.compiler
    os = "\(Self.system)-\(Self.processor)"
  }

  /// The version of the package.
  package static let version = "0.1.0"

  // Conditional compilation is the only way to read the version of the compiler.
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
