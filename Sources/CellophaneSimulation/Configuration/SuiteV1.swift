internal import Cellophane
internal import CellophaneTesting

/// The suite v1. Every setting is written out, also where it is the default, so that it stays when a default changes;
/// Documentation/suite-v1.json has them as they were published, and a test compares the two.
enum SuiteV1 {
  /// The cases, with what each has of list, network and reader.
  static var cases: [(values: [String], configuration: SimulationConfiguration)] {
    lists.flatMap { list in
      networks.flatMap { network in
        readers.map { reader in
          var one = SimulationConfiguration(time: .virtual)
          one.list = list.list
          one.viewport.size = PixelSize(width: 412, height: 823)
          one.viewport.refreshRate = 60
          one.gesture = gesture(of: reader)
          one.network = connection(network)
          one.origin.fail = 0
          one.origin.slowTail = nil
          one.origin.revalidate = 0
          one.origin.change = nil
          one.origin.maxAge = 86_400
          one.origin.staleWhileRevalidate = 0
          one.cache.memoryBytes = 50 << 20
          one.cache.diskBytes = 256 << 20
          one.cache.policy = .lru
          one.loader.prefetch = .rows(8)
          one.loader.previews = false
          one.loader.concurrency = 6
          one.decoding.mode = .model
          one.decoding.cores = 2
          one.decoding.png = [10, 10, 10, 10]
          one.decoding.jpeg = [6, 6, 6, 6]
          one.events = []
          one.duration = .seconds(60)
          one.seed = 1
          one.replicas = 20
          return ([list.name, network.name, reader.profile.name], one)
        }
      }
    }
  }

  /// What there is for each part of a case's name.
  static var parts: String {
    [lists.map(\.name), networks.map(\.name), readers.map(\.profile.name)]
      .map { $0.joined(separator: ", ") }.joined(separator: "; ")
  }

  /// The suite and the name of the case in it that `configuration` is, however the loader is used, with whichever caches
  /// and for how many replicas; nil when it is none.
  static func suiteCase(of configuration: SimulationConfiguration) -> (suite: String, name: String)? {
    cases.first { _, own in
      var own = own
      (own.loader, own.cache, own.replicas) = (
        configuration.loader, configuration.cache, configuration.replicas
      )
      return own == configuration
    }.map { ("v1", $0.values.joined(separator: "/")) }
  }

  private static let lists = [
    // A small picture beside a line of text, and a feed of large ones; sizes assumed, after what apps show.
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

  /// Four lines from fast to slow, fifty times apart.
  private static let networks = [
    (name: "wpt-fios", down: 20_000_000, up: 5_000_000, roundTrip: 4),
    (name: "wpt-lte", down: 12_000_000, up: 12_000_000, roundTrip: 70),
    (name: "lh-slow4g", down: 1_638_400, up: 750_000, roundTrip: 150),
    (name: "wpt-3gslow", down: 400_000, up: 400_000, roundTrip: 400),
  ]

  private static func connection(
    _ line: (name: String, down: Int, up: Int, roundTrip: Int)
  ) -> SimulationConfiguration.Network {
    var network = SimulationConfiguration.Network()
    network.profile = NetworkProfile(
      name: line.name, downBitsPerSecond: line.down, upBitsPerSecond: line.up,
      roundTrip: .milliseconds(line.roundTrip), loss: 0)
    network.http = 1
    network.tls = true
    network.think = .milliseconds(30)
    network.thinkSigma = 0.3
    network.drainBytes = 0
    return network
  }

  /// Where their numbers come from, ``GestureParameters`` says.
  private static let readers = [
    (
      profile: ScrollProfile.reader,
      hand: GestureParameters(
        dwell: Lognormal(median: 1.7, sigma: 0.8), flick: Lognormal(median: 900, sigma: 0.5),
        backward: 0.10, caught: 0.3, catchTime: 0.3...0.9, again: 0.1, jump: 0.01, drag: 90, dragTime: 0.12)
    ),
    (
      profile: .browser,
      hand: GestureParameters(
        dwell: Lognormal(median: 1.0, sigma: 0.7), flick: Lognormal(median: 1800, sigma: 0.7),
        backward: 0.35, caught: 0.5, catchTime: 0.2...0.8, again: 0.3, jump: 0.03, drag: 90, dragTime: 0.12)
    ),
    (
      profile: .skimmer,
      hand: GestureParameters(
        dwell: Lognormal(median: 0.3, sigma: 0.6), flick: Lognormal(median: 3500, sigma: 0.5),
        backward: 0.05, caught: 0.7, catchTime: 0.1...0.5, again: 0.8, jump: 0.10, drag: 120, dragTime: 0.08)
    ),
  ]

  private static func gesture(
    of reader: (profile: ScrollProfile, hand: GestureParameters)
  ) -> SimulationConfiguration.Gesture {
    var gesture = SimulationConfiguration.Gesture(profile: reader.profile)
    gesture.physics = .ios
    gesture.parameters = reader.hand
    return gesture
  }
}
