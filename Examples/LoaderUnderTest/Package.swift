// swift-tools-version: 6.3
import PackageDescription

/// Puts a loader of another package under test.
let package = Package(
  name: "cellophane-loader-under-test",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "cellophane", path: "../..")],
  targets: [
    .executableTarget(
      name: "newest-first",
      dependencies: [
        .product(name: "Cellophane", package: "cellophane"),
        .product(name: "CellophaneReport", package: "cellophane"),
        .product(name: "CellophaneSimulation", package: "cellophane"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
