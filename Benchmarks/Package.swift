// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that users of the library do not download the benchmark framework.
let package = Package(
  name: "cellophane-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cellophane", path: "..", traits: ["AVIF", "GIF", "WebP"]),
    // Without the default trait, which requires jemalloc.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "transfers", dependencies: [.product(name: "Cellophane", package: "cellophane")],
      path: "Tools/Transfers"),
    .executableTarget(
      name: "decoding-times",
      dependencies: [
        .product(name: "Cellophane", package: "cellophane"),
        .product(name: "CellophaneAVIF", package: "cellophane"),
        .product(name: "CellophaneGIF", package: "cellophane"),
        .product(name: "CellophaneWebP", package: "cellophane"),
      ],
      path: "Tools/DecodingTimes"),
    .executableTarget(
      name: "disk-times", dependencies: [.product(name: "Cellophane", package: "cellophane")],
      path: "Tools/DiskTimes"),
    .executableTarget(
      name: "LoaderBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Cellophane", package: "cellophane"),
        .product(name: "CellophaneTesting", package: "cellophane"),
      ],
      path: "Benchmarks/LoaderBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)
