// swift-tools-version: 6.3
import PackageDescription

/// The compiler settings of every Swift target: all upcoming checks are on, and warnings are errors.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .treatAllWarnings(as: .error),
]

/// Tests of an optimized build are not optimized themselves: that would cost more than it saves.
let tests = strict + (Context.environment["CELLOPHANE_OPTIMIZED"] == nil ? [] : [.unsafeFlags(["-Onone"])])

/// The implementation of publishers where Combine is not available. SwiftPM downloads it only with the trait.
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine",
  condition: .when(platforms: [.linux, .android, .windows], traits: ["Publishers"]))

/// The modules that `import Cellophane` gives. SwiftPM recompiles a target only after a change of a module that the
/// target names, so targets and the product name all of them.
let exported = [
  "Cellophane", "CacheEviction", "CellophaneCore", "CellophaneCurl", "CellophaneDisk", "CellophaneHTTP",
  "CellophaneImages",
]
let cellophane = exported.map { Target.Dependency.target(name: $0) }

let package = Package(
  name: "cellophane",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Cellophane", targets: exported),
    .library(name: "CellophaneAVIF", targets: ["CellophaneAVIF"]),
    .library(name: "CellophaneGIF", targets: ["CellophaneGIF"]),
    .library(name: "CellophaneWebP", targets: ["CellophaneWebP"]),
    .library(name: "CellophaneScreens", targets: ["CellophaneScreens"]),
    .library(name: "CellophanePublishers", targets: ["CellophanePublishers"]),
    .library(name: "CellophaneUI", targets: ["CellophaneUI"]),
    .library(name: "CellophaneTesting", targets: ["CellophaneTesting"]),
    .library(name: "CellophaneTestOrigin", targets: ["CellophaneTestOrigin", "CellophaneNetwork"]),
    .library(name: "CellophaneSimulation", targets: ["CellophaneSimulation", "CellophaneResults"]),
    .library(name: "CellophaneReport", targets: ["CellophaneReport", "CellophaneResults"]),
    .executable(name: "cellophane", targets: ["CellophaneTool"]),
  ],
  traits: [
    .trait(
      name: "ColorManagement",
      description: "Conversion to sRGB by embedded color profiles; needs lcms2."),
    .trait(name: "AVIF", description: "The codec of AVIF in the module CellophaneAVIF; needs libavif."),
    .trait(name: "GIF", description: "The codec of GIF in the module CellophaneGIF; needs giflib."),
    .trait(name: "WebP", description: "The codec of WebP in the module CellophaneWebP; needs libwebp."),
    .trait(
      name: "Publishers",
      description: "The module CellophanePublishers, over Combine, or over OpenCombine on Linux."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(
      name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"]), .brew(["libidn2"])]),
    .systemLibrary(name: "CFiles"),
    .systemLibrary(name: "CAllocator", providers: [.apt(["libmimalloc-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CLibDeflate", pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
    .systemLibrary(
      name: "CLibWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .systemLibrary(
      name: "CLCMS2", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"]), .brew(["gnutls"])]),
    .systemLibrary(
      name: "CChafa", pkgConfig: "chafa",
      providers: [.apt(["libchafa-dev", "libglib2.0-dev"]), .brew(["chafa"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CTerminal", dependencies: ["CChafa"]),
    .target(name: "CImageCodecs", dependencies: ["CLibPNG", "CLibJPEG"]),
    // HTTP as values: no clock and no I/O.
    .target(name: "CellophaneHTTP", swiftSettings: strict),
    // The model, the contracts and the concurrency primitives.
    .target(
      name: "CellophaneCore", dependencies: ["CellophaneHTTP", "CIDN2", "CXXHash", "CZLib"],
      swiftSettings: strict),
    .target(
      name: "CellophaneDisk", dependencies: ["CellophaneCore", "CellophaneHTTP", "CFiles"],
      swiftSettings: strict),
    .target(
      name: "CellophaneCurl", dependencies: ["CellophaneCore", "CellophaneHTTP", "CCurl"],
      swiftSettings: strict),
    // Objects in stores with the interface of Amazon S3.
    .target(
      name: "CellophaneS3", dependencies: ["CellophaneCore", "CellophaneCurl", "CCurl"], swiftSettings: strict
    ),
    .target(
      name: "CellophaneImages",
      dependencies: [
        "CellophaneCore", "CellophaneHTTP", "CImageCodecs", "CLibDeflate",
        .target(name: "CLCMS2", condition: .when(traits: ["ColorManagement"])),
      ], swiftSettings: strict),
    .target(
      name: "CAVIFCodec",
      dependencies: ["CImageCodecs"],
      cSettings: [.define("CELLOPHANE_AVIF", .when(traits: ["AVIF"]))]),
    .target(
      name: "CellophaneAVIF", dependencies: ["CellophaneCore", "CellophaneImages", "CAVIFCodec"],
      swiftSettings: strict),
    .target(
      name: "CGIFCodec", dependencies: ["CImageCodecs"],
      cSettings: [.define("CELLOPHANE_GIF", .when(traits: ["GIF"]))],
      // giflib has no file for pkg-config.
      linkerSettings: [.linkedLibrary("gif", .when(traits: ["GIF"]))]),
    .target(
      name: "CellophaneGIF", dependencies: ["CellophaneCore", "CellophaneImages", "CGIFCodec"],
      swiftSettings: strict),
    .target(
      name: "CWebPCodec",
      dependencies: ["CImageCodecs", .target(name: "CLibWebP", condition: .when(traits: ["WebP"]))],
      cSettings: [.define("CELLOPHANE_WEBP", .when(traits: ["WebP"]))]),
    .target(
      name: "CellophaneWebP", dependencies: ["CellophaneCore", "CellophaneImages", "CWebPCodec"],
      swiftSettings: strict),
    // Eviction policies, for the memory cache and the simulation.
    .target(
      name: "CacheEviction", dependencies: ["CellophaneCore"], swiftSettings: strict),
    .target(
      name: "Cellophane",
      dependencies: [
        "CacheEviction", "CellophaneCore", "CellophaneCurl", "CellophaneDisk", "CellophaneHTTP",
        "CellophaneImages",
      ], swiftSettings: strict),
    .target(name: "CellophaneScreens", dependencies: cellophane, swiftSettings: strict),
    .target(
      name: "CellophanePublishers",
      dependencies: cellophane + ["CellophaneScreens", openCombine], swiftSettings: strict),
    // Only for Apple's systems, and not compiled elsewhere: so a warning there must not stop a build.
    .target(
      name: "CellophaneUI", dependencies: cellophane,
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .target(name: "CellophaneTesting", dependencies: cellophane, swiftSettings: strict),
    // The networks and the responses of origins as values, for the origins of tests and of the simulation.
    .target(name: "CellophaneNetwork", dependencies: ["CellophaneCore"], swiftSettings: strict),
    // Real sockets and real time. The only target that needs libmicrohttpd.
    .target(
      name: "CellophaneTestOrigin",
      dependencies: cellophane + ["CellophaneNetwork", "CGnuTLS", "CMicroHTTPD"], swiftSettings: strict),
    // The scenarios and the results of the simulation as values: no I/O, and no loader runs.
    .target(
      name: "CellophaneResults", dependencies: cellophane + ["CellophaneNetwork"], swiftSettings: strict),
    .target(
      name: "CellophaneSimulation",
      dependencies: cellophane + [
        "CellophaneNetwork", "CellophaneResults", "CellophaneScreens", "CellophaneTesting",
        "CellophaneTestOrigin",
      ], swiftSettings: strict),
    // Tables, HTML pages and traces from the results of the simulation.
    .target(
      name: "CellophaneReport", dependencies: cellophane + ["CellophaneNetwork", "CellophaneResults"],
      swiftSettings: strict),
    .target(
      name: "CellophaneBatch", dependencies: cellophane + ["CGnuTLS", "CZstd", "CellophaneS3"],
      swiftSettings: strict),
    // The terminal front end of the tool.
    .target(
      name: "CellophaneBrowser", dependencies: cellophane + ["CellophaneScreens", "CTerminal"],
      swiftSettings: strict),
    .executableTarget(
      name: "CellophaneTool",
      dependencies: cellophane + [
        "CellophaneBatch", "CellophaneBrowser", "CellophaneNetwork", "CellophaneTestOrigin",
        "CellophaneResults", "CellophaneS3", "CellophaneSimulation", "CellophaneReport", "CellophaneAVIF",
        "CellophaneGIF", "CellophaneWebP",
        .target(name: "CAllocator", condition: .when(platforms: [.linux])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    // Shared by the test targets.
    .target(
      name: "TestSupport", dependencies: cellophane + ["CellophaneS3", "CellophaneTesting"],
      path: "Tests/TestSupport",
      exclude: ["Corpus"],
      swiftSettings: tests),
    // Shared by the tests of the results, of the simulation and of the reports.
    .target(
      name: "SimulationTestSupport",
      dependencies: cellophane + ["CellophaneNetwork", "CellophaneResults", "CellophaneScreens"],
      path: "Tests/SimulationTestSupport", swiftSettings: tests),
    .testTarget(
      name: "CellophaneHTTPTests", dependencies: ["CellophaneHTTP"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneCoreTests", dependencies: cellophane + ["TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneDiskTests", dependencies: cellophane + ["CellophaneTesting", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "CellophaneImagesTests", dependencies: cellophane + ["TestSupport"],
      exclude: ["Placeholders/expected.json"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneAnimationTests",
      dependencies: cellophane + ["CellophaneGIF", "CellophaneTesting", "CellophaneWebP", "TestSupport"],
      exclude: ["Corpus"],
      swiftSettings: tests),
    .testTarget(
      name: "CellophaneAVIFTests", dependencies: cellophane + ["CellophaneAVIF", "TestSupport"],
      exclude: ["Corpus"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneGIFTests", dependencies: cellophane + ["CellophaneGIF", "TestSupport"],
      exclude: ["Corpus"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneWebPTests", dependencies: cellophane + ["CellophaneWebP", "TestSupport"],
      exclude: ["Corpus"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneTests",
      dependencies: cellophane + [
        "CellophaneNetwork", "CellophaneTesting", "CellophaneTestOrigin", "TestSupport",
      ],
      exclude: ["Prefetch/expected.json"], swiftSettings: tests),
    // Real sockets and real time.
    .testTarget(
      name: "CellophaneCurlTests",
      dependencies: cellophane + [
        "CellophaneNetwork", "CellophaneTesting", "CellophaneTestOrigin", "TestSupport",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "CellophaneS3Tests",
      dependencies: cellophane + ["CellophaneS3", "CellophaneTesting", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneScreensTests",
      dependencies: cellophane + [
        "CellophanePublishers", "CellophaneScreens", "CellophaneTesting", "TestSupport", openCombine,
      ], swiftSettings: tests),
    .testTarget(
      name: "CellophaneTestingTests", dependencies: cellophane + ["CellophaneTesting"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneNetworkTests", dependencies: ["CellophaneCore", "CellophaneNetwork"],
      swiftSettings: tests),
    .testTarget(
      name: "CellophaneTestOriginTests",
      dependencies: cellophane + ["CellophaneNetwork", "CellophaneTesting", "CellophaneTestOrigin"],
      swiftSettings: tests),
    .testTarget(
      name: "CellophaneResultsTests",
      dependencies: cellophane + [
        "CellophaneNetwork", "CellophaneResults", "CellophaneTesting", "SimulationTestSupport", "TestSupport",
      ],
      exclude: ["Eviction/expected.json", "Statistics/expected.json"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneSimulationTests",
      dependencies: cellophane + [
        "CellophaneNetwork", "CellophaneResults", "CellophaneSimulation", "CellophaneScreens",
        "CellophaneTesting", "CellophaneTestOrigin", "SimulationTestSupport", "TestSupport",
      ],
      exclude: ["Network/queue-expected.json"], swiftSettings: tests),
    .testTarget(
      name: "CellophaneReportTests",
      dependencies: cellophane + [
        "CellophaneNetwork", "CellophaneReport", "CellophaneResults", "CellophaneSimulation",
        "SimulationTestSupport", "TestSupport",
      ], swiftSettings: tests),
    .testTarget(
      name: "CellophaneBatchTests",
      dependencies: cellophane + ["CellophaneBatch", "CellophaneS3", "CellophaneTesting", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "CellophaneBrowserTests",
      dependencies: cellophane + ["CellophaneBrowser", "CellophaneScreens", "CellophaneTesting"],
      swiftSettings: tests),
    .testTarget(
      name: "DocumentationTests",
      dependencies: cellophane + [
        "CellophaneNetwork", "CellophaneReport", "CellophaneResults", "CellophaneScreens",
        "CellophaneSimulation", "CellophaneTesting", "CellophaneTestOrigin", "CellophaneAVIF",
        "CellophaneGIF", "CellophaneWebP",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "CellophaneToolTests",
      dependencies: cellophane + [
        "CellophaneTool", "CellophaneBatch", "CellophaneBrowser", "CellophaneNetwork", "CellophaneResults",
        "CellophaneSimulation", "CellophaneTesting", "CellophaneTestOrigin", "CellophaneWebP", "TestSupport",
      ],
      swiftSettings: tests),
  ],
  swiftLanguageModes: [.v6]
)
