internal import Cellophane
internal import CellophaneNetwork

/// The suite v2: phones, with networks and file sizes published in 2023 and 2024. All settings are explicit, including the defaults, so that a new default does not change
/// the suite. A test compares the cases with Documentation/suite-v2.json, which contains them as published.
///
/// The 36 cases are all combinations of four lists, three networks and three scroll profiles. The version of HTTP is the sum
/// of their indices modulo 3, as in a Latin square, so that each version occurs equally often with each list, network and
/// profile. Android has the cases in which the index of the list is even and those of the network and the profile are equal,
/// or the opposite: half of the cases of each network, profile and version, and of each pair of network and profile.
enum SuiteV2 {
  /// The cases.
  static var cases: [PublishedSuite.Case] {
    lists.enumerated().flatMap { list, kind in
      networks.enumerated().flatMap { network, link in
        SuiteV1.readers.enumerated().map { profile, reader in
          let http = [HTTPVersion.http1, .http2, .http3][(list + network + profile) % 3]
          let physics = list.isMultiple(of: 2) == (network == profile) ? ScrollPhysics.android : .ios
          var configuration = common
          configuration.list = kind.list
          configuration.gesture = SuiteV1.gesture(of: reader)
          configuration.gesture.physics = physics
          configuration.network = connection(link, http)
          return PublishedSuite.Case(
            values: [kind.name, link.name, reader.profile.name, http.rawValue, physics.rawValue],
            configuration: configuration)
        }
      }
    }
  }

  /// The settings of all cases.
  private static var common: SimulationConfiguration {
    var configuration = SimulationConfiguration(time: .virtual)
    configuration.viewport.size = PixelSize(width: 412, height: 823)
    // That of a Pixel; iPhones have 2 or 3.
    configuration.viewport.density = 2.625
    configuration.viewport.refreshRate = 60
    configuration.origin.fail = 0
    configuration.origin.slowTail = nil
    configuration.origin.revalidate = 0
    configuration.origin.change = nil
    configuration.origin.maxAge = 86_400
    configuration.origin.staleWhileRevalidate = 0
    // An eighth of the memory cache holds the largest image, of 412 x 600 px.
    configuration.cache.memoryBytes = 64 << 20
    configuration.cache.diskBytes = 256 << 20
    configuration.cache.policy = .lru
    configuration.loader.name = .cellophane
    configuration.loader.prefetch = .rows(8, screens: 2.5)
    configuration.loader.previews = false
    configuration.loader.concurrency = 6
    configuration.decoding.mode = .model
    configuration.decoding.cores = 2
    configuration.decoding.png = [10, 10, 10, 10]
    configuration.decoding.jpeg = [6, 6, 6, 6]
    configuration.events = []
    configuration.duration = .seconds(60)
    configuration.seed = 1
    configuration.replicas = 20
    return configuration
  }

  /// Files have the pixels of the screen, and the bits per pixel of JPEG files of their size (``WebFormat``).
  private static let lists = [
    (
      name: "thumbnails",
      list: list(.thumbnails, 72, picture: (56, 56), image: (147, 147), bits: (3.07, 0.94))
    ),
    (name: "grid", list: list(.grid, 137, picture: (135, 135), image: (354, 354), bits: (1.95, 0.91))),
    (name: "mixed", list: list(.mixed, 400, picture: (412, 300), image: (1080, 786), bits: (1.56, 0.90))),
    (name: "cards", list: list(.cards, 420, picture: (412, 412), image: (1080, 1080), bits: (1.56, 0.90))),
  ]

  private static func list(
    _ kind: ListKind, _ rowHeight: Int, picture: (Int, Int), image: (Int, Int), bits: (Double, Double)
  ) -> SimulationConfiguration.List {
    var list = SimulationConfiguration.List(layout: kind)
    list.rows = 1_000
    list.columns = kind == .grid ? 3 : 1
    list.rowHeight = rowHeight
    list.picture = PixelSize(width: picture.0, height: picture.1)
    list.image = PixelSize(width: image.0, height: image.1)
    list.heightSigma = kind == .mixed ? 0.35 : nil
    list.section = nil
    list.repeated = nil
    list.bytes = .perPixel(Lognormal(median: bits.0, sigma: bits.1))
    list.progressive = 0
    list.pictures = .generated
    return list
  }

  /// Percentiles of phones, with the sources at ``NetworkProfile/presets``.
  private static let networks = [
    (name: "phone-p50", down: 50_700_000, up: 7_200_000, roundTrip: 151),
    (name: "phone-p75", down: 20_600_000, up: 3_000_000, roundTrip: 209),
    (name: "phone-p90", down: 6_800_000, up: 1_000_000, roundTrip: 271),
  ]

  private static func connection(
    _ link: (name: String, down: Int, up: Int, roundTrip: Int), _ http: HTTPVersion
  ) -> SimulationConfiguration.Network {
    var network = SimulationConfiguration.Network()
    network.profile = NetworkProfile(
      name: link.name, downBitsPerSecond: link.down, upBitsPerSecond: link.up,
      roundTrip: .milliseconds(link.roundTrip), loss: 0)
    network.profile.variation = .model(.lte)
    network.http = http
    network.tls = true
    network.think = .milliseconds(30)
    network.thinkSigma = 0.3
    network.drainBytes = 0
    network.origins = 1
    network.isWarm = false
    network.idleRestart = .reset
    return network
  }
}
