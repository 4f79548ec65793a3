// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that users of the library never download what measures it.
let package = Package(
  name: "cellophane-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cellophane", path: ".."),
    // Without its default trait, which needs jemalloc on the machine.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "transfers", dependencies: [.product(name: "Cellophane", package: "cellophane")],
      path: "Tools/Transfers"),
    .executableTarget(
      name: "decoding-times", dependencies: [.product(name: "Cellophane", package: "cellophane")],
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
