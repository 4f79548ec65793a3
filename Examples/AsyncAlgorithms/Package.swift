// swift-tools-version: 6.3
import PackageDescription

/// Shows that operators of swift-async-algorithms and of CellophaneScreens combine. A separate package, so that
/// neither the library nor its tests depend on swift-async-algorithms.
let package = Package(
  name: "cellophane-async-algorithms",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cellophane", path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
  ],
  targets: [
    .testTarget(
      name: "InputTests",
      dependencies: [
        .product(name: "CellophaneScreens", package: "cellophane"),
        .product(name: "CellophaneTesting", package: "cellophane"),
        .product(name: "Cellophane", package: "cellophane"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
