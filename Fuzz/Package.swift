// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that users of the library never build it. `./run` passes the sanitizers' flags, which
// go for the library and its C part too; without them nothing here links.
let package = Package(
  name: "cellophane-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "cellophane", path: "..")],
  targets: [
    .target(name: "CFuzzing", linkerSettings: [.linkedLibrary("z")]),
    .executableTarget(
      name: "cellophane-fuzz",
      dependencies: ["CFuzzing", .product(name: "Cellophane", package: "cellophane")],
      path: "Sources/Fuzz"),
  ],
  swiftLanguageModes: [.v6]
)
