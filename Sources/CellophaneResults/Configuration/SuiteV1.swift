internal import Cellophane
internal import CellophaneNetwork

/// The suite v1. All settings are explicit, including the defaults, so that a new default does not change the
/// suite. A test compares the cases with Documentation/suite-v1.json, which contains them as published.
enum SuiteV1 {
  /// All combinations of a list, a network and a scroll profile.
  static var cases: [PublishedSuite.Case] {
    lists.flatMap { list in
      networks.flatMap { network in
        readers.map { reader in
          var configuration = SimulationConfiguration(time: .virtual)
          configuration.list = list.list
          configuration.viewport.size = PixelSize(width: 412, height: 823)
          configuration.viewport.density = 1
          configuration.viewport.refreshRate = 60
          configuration.gesture = gesture(of: reader)
          configuration.network = connection(network)
          configuration.origin.fail = 0
          configuration.origin.slowTail = nil
          configuration.origin.revalidate = 0
          configuration.origin.change = nil
          configuration.origin.maxAge = 86_400
          configuration.origin.staleWhileRevalidate = 0
          configuration.cache.memoryBytes = 50 << 20
          configuration.cache.diskBytes = 256 << 20
          configuration.cache.policy = .lru
          configuration.loader.prefetch = .rows(8)
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
          return PublishedSuite.Case(
            values: [list.name, network.name, reader.profile.name], configuration: configuration)
        }
      }
    }
  }

  private static let lists = [
    // Small thumbnails beside a line of text, and a feed of large images. The sizes are assumed after common
    // apps.
    (name: "thumbnails", list: list(rowHeight: 72, picture: (56, 56), image: (96, 96))),
    (name: "cards", list: list(rowHeight: 420, picture: (412, 412), image: (1080, 1080))),
  ]

  private static func list(
    rowHeight: Int, picture: (Int, Int), image: (Int, Int)
  ) -> SimulationConfiguration.List {
    var list = SimulationConfiguration.List(layout: .rows)
    list.rows = 1_000
    list.columns = 1
    list.rowHeight = rowHeight
    list.picture = PixelSize(width: picture.0, height: picture.1)
    list.image = PixelSize(width: image.0, height: image.1)
    list.heightSigma = nil
    list.section = nil
    list.repeated = nil
    list.bytes = .generated
    list.progressive = 0
    list.pictures = .generated
    return list
  }

  /// Four links from fast to slow. The fastest has 50 times the rate of the slowest.
  private static let networks = [
    (name: "wpt-fios", down: 20_000_000, up: 5_000_000, roundTrip: 4),
    (name: "wpt-lte", down: 12_000_000, up: 12_000_000, roundTrip: 70),
    (name: "lh-slow4g", down: 1_638_400, up: 750_000, roundTrip: 150),
    (name: "wpt-3gslow", down: 400_000, up: 400_000, roundTrip: 400),
  ]

  private static func connection(
    _ link: (name: String, down: Int, up: Int, roundTrip: Int)
  ) -> SimulationConfiguration.Network {
    var network = SimulationConfiguration.Network()
    network.profile = NetworkProfile(
      name: link.name, downBitsPerSecond: link.down, upBitsPerSecond: link.up,
      roundTrip: .milliseconds(link.roundTrip), loss: 0)
    network.http = .http1
    network.tls = true
    network.think = .milliseconds(30)
    network.thinkSigma = 0.3
    network.drainBytes = 0
    return network
  }

  /// Three profiles. ``GestureParameters`` documents the sources of the numbers.
  static let readers = [
    (
      profile: ScrollProfile.reader,
      gestures: GestureParameters(
        dwell: Lognormal(median: 1.7, sigma: 0.8), flick: Lognormal(median: 900, sigma: 0.5),
        backward: 0.10, caught: 0.3, catchTime: 0.3...0.9, again: 0.1, jump: 0.01, drag: 90, dragTime: 0.12)
    ),
    (
      profile: .browser,
      gestures: GestureParameters(
        dwell: Lognormal(median: 1.0, sigma: 0.7), flick: Lognormal(median: 1800, sigma: 0.7),
        backward: 0.35, caught: 0.5, catchTime: 0.2...0.8, again: 0.3, jump: 0.03, drag: 90, dragTime: 0.12)
    ),
    (
      profile: .skimmer,
      gestures: GestureParameters(
        dwell: Lognormal(median: 0.3, sigma: 0.6), flick: Lognormal(median: 3500, sigma: 0.5),
        backward: 0.05, caught: 0.7, catchTime: 0.1...0.5, again: 0.8, jump: 0.10, drag: 120, dragTime: 0.08)
    ),
  ]

  static func gesture(
    of reader: (profile: ScrollProfile, gestures: GestureParameters)
  ) -> SimulationConfiguration.Gesture {
    var gesture = SimulationConfiguration.Gesture(profile: reader.profile)
    gesture.physics = .ios
    gesture.parameters = reader.gestures
    return gesture
  }
}
