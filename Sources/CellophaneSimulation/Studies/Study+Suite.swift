public import Cellophane
internal import CellophaneTesting

extension Study {
  /// The names of the published suites. What a suite plays never changes; another one gets another name.
  public static let suites = ["v1"]

  /// The published cases: readers, networks and lists, each for 60 s under the seeds 1 to 20. How the loader is used,
  /// and with which caches, is what a suite is played for; everything else is the suite's.
  ///
  /// - Parameter adjust: Makes the settings under test, and the number of replicas.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when there is no such suite, or `adjust` changes what is the suite's;
  ///   what `adjust` throws.
  public init(
    suite name: String, adjust: (inout SimulationConfiguration) throws(LoadError) -> Void
  ) throws(LoadError) {
    guard Self.suites.contains(name) else {
      throw LoadError(
        .invalidRequest, "there is no suite '\(name)'; there is \(Self.suites.joined(separator: ", "))")
    }
    var cases: [Case] = []
    for case let (values, configuration) in Self.v1 {
      var adjusted = configuration
      try adjust(&adjusted)
      var own = configuration
      (own.loader, own.cache, own.replicas) = (adjusted.loader, adjusted.cache, adjusted.replicas)
      guard own == adjusted else {
        throw LoadError(
          .invalidRequest,
          "the suite \(name) has its own lists, readers, networks and seeds; only how the loader is used, its caches"
            + " and --replicas can be chosen")
      }
      cases.append(Case(values: values, configuration: adjusted))
    }
    kind = .suite
    suite = name
    parameters = ["list", "network", "profile"]
    self.cases = cases
  }

  /// One case of a suite, by its name: `cards/lh-slow4g/browser`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when there is none.
  public static func suiteCase(_ name: String) throws(LoadError) -> SimulationConfiguration {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let found = v1.first(where: { $0.values == parts }) else {
      throw LoadError(
        .invalidRequest,
        "there is no case '\(name)'; its parts are \(lists.map(\.name).joined(separator: ", "));"
          + " \(networks.joined(separator: ", ")); \(profiles.map(\.name).joined(separator: ", "))")
    }
    return found.configuration
  }

  private static let lists = [
    // A small picture beside a line of text, and a feed of large ones; sizes assumed, after what apps show.
    (name: "thumbnails", rowHeight: 72, picture: (56, 56), image: (96, 96)),
    (name: "cards", rowHeight: 420, picture: (412, 412), image: (1080, 1080)),
  ]
  /// Four lines from fast to slow, fifty times apart.
  private static let networks = ["wpt-fios", "wpt-lte", "lh-slow4g", "wpt-3gslow"]
  private static let profiles = [ScrollProfile.reader, .browser, .skimmer]

  /// Every setting that matters is written out, so that it stays when a default changes.
  private static var v1: [(values: [String], configuration: SimulationConfiguration)] {
    lists.flatMap { list in
      networks.flatMap { network in
        profiles.compactMap { profile in
          guard let line = NetworkProfile.presets.first(where: { $0.name == network }) else { return nil }
          var one = SimulationConfiguration(time: .virtual)
          one.list.layout = .rows
          one.list.rows = 1_000
          one.list.columns = 1
          one.list.rowHeight = list.rowHeight
          one.list.picture = PixelSize(width: list.picture.0, height: list.picture.1)
          one.list.image = PixelSize(width: list.image.0, height: list.image.1)
          one.viewport.size = PixelSize(width: 412, height: 823)
          one.viewport.refreshRate = 60
          one.gesture.profile = profile
          one.gesture.physics = .ios
          one.network.profile = line
          one.network.http = 1
          one.network.tls = true
          one.network.think = .milliseconds(30)
          one.network.thinkSigma = 0.3
          one.network.drainBytes = 0
          one.cache.memoryBytes = 50 << 20
          one.cache.diskBytes = 256 << 20
          one.duration = .seconds(60)
          one.seed = 1
          one.replicas = 20
          return ([list.name, network, profile.name], one)
        }
      }
    }
  }
}
