// swift-tools-version: 6.3
import PackageDescription

/// The server of the article "A thumbnail server". A separate package, so that the library and its tests do not
/// depend on FlyingFox.
let package = Package(
  name: "cellophane-thumbnails",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cellophane", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "thumbnails",
      dependencies: [
        .product(name: "Cellophane", package: "cellophane"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
