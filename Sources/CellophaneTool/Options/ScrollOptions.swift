internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneResults

/// The gestures, the screen and the duration of a simulation.
struct ScrollOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Scroll as this kind of user, at a constant velocity in px/s, or as in a recording with lines of \
      T_MS,OFFSET_PX, which may state its screen. (default: skimmer)
      """,
      discussion: NameList.help(NameList.scrollProfiles),
      valueName: "profile"),
    completion: .list(ScrollProfile.named.map(\.name)))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "Use the deceleration of this platform. (default: android; in real time ios)",
      discussion: """
        ios, ios-fast: UIScrollView, normal and fast.
        android: the spline of Android's OverScroller, as in RecyclerView.
        flutter, flutter-android: Flutter's forms for iOS and for Android.
        """,
      valueName: "physics"))
  var physics: ScrollPhysics?

  @Option(
    help: ArgumentHelp("Set the size of the visible part of the list. (default: 412x823)", valueName: "WxH"))
  var viewport: PixelSize?

  @Option(
    help: ArgumentHelp(
      """
      Decode images for a screen with this many device pixels per px, 0.75 to 4; files do not change. \
      (default: 2.625; in real time 1)
      """, valueName: "n"))
  var density: Double?

  @Option(help: ArgumentHelp("Set the frames per second, 1 to 240. (default: 60)", valueName: "n"))
  var hz: Int?

  @Option(
    help: ArgumentHelp(
      """
      Scroll for this time with each loader; also 500ms, 2m or 1h. \
      (default: 60s; in real time 15s; with log:FILE its length)
      """, valueName: "seconds"))
  var duration: TimeAmount?

  /// The names of the given options.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--profile": profile, "--physics": physics, "--viewport": viewport, "--density": density, "--hz": hz,
      "--duration": duration,
    ]
    return options.given
  }

  /// Sets the given options in `configuration`.
  ///
  /// A recorded scroll sets the duration and the screen to its own, unless a scenario or an option sets them.
  func apply(to configuration: inout SimulationConfiguration, hasScenario: Bool) throws(LoadError) {
    if let viewport { configuration.viewport.size = viewport }
    if let density { configuration.viewport.density = density }
    if let hz { configuration.viewport.refreshRate = hz }
    if let profile { configuration.gesture.profile = try ScrollProfile(parsing: profile) }
    if let physics { configuration.gesture.physics = physics }
    if case .log(let log) = configuration.gesture.profile {
      let log = try read(log)
      configuration.gesture.profile = .log(log)
      if !hasScenario {
        let own = configuration.viewport
        configuration.viewport.size = viewport ?? log.screen.size ?? own.size
        configuration.viewport.density = density ?? log.screen.density ?? own.density
        configuration.viewport.refreshRate = hz ?? log.screen.refreshRate ?? own.refreshRate
        let durations = SimulationConfiguration.durations(in: configuration.time)
        configuration.duration = min(max(log.duration, durations.lowerBound), durations.upperBound)
      }
    }
    if let duration { configuration.duration = duration.duration }
  }
}

extension ScrollOptions {
  /// Reads the file that `log` names.
  ///
  /// - Throws: ``LoadError`` for a file that is not a recording, with the field of the scenario if that names the file.
  private func read(_ log: ScrollLog) throws(LoadError) -> ScrollLog {
    do throws(LoadError) {
      // 64 MB: as many samples as a log may have.
      return try ScrollLog(name: log.name, csv: try FileIO.read(log.name, limit: 64 << 20))
    } catch {
      guard profile == nil else { throw error }
      throw LoadError(error.kind, "gesture.profile: " + error.message)
    }
  }
}

extension ScrollPhysics: Choice {}
