// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that users of the library do not build it. `./run` passes the flags of the
// sanitizers, which also apply to the library and its C code. Without these flags the package does not link.
let package = Package(
  name: "cellophane-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "cellophane", path: "..", traits: ["AVIF", "GIF", "WebP"])],
  targets: [
    .target(name: "CFuzzing", linkerSettings: [.linkedLibrary("z")]),
    .executableTarget(
      name: "cellophane-fuzz",
      dependencies: [
        "CFuzzing", .product(name: "Cellophane", package: "cellophane"),
        .product(name: "CellophaneAVIF", package: "cellophane"),
        .product(name: "CellophaneGIF", package: "cellophane"),
        .product(name: "CellophaneWebP", package: "cellophane"),
      ],
      path: "Sources/Fuzz"),
  ],
  swiftLanguageModes: [.v6]
)
