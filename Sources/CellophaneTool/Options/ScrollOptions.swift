internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation

/// Who scrolls a simulated list, on what screen, for how long.
struct ScrollOptions: ParsableArguments {
  @Option(
    help:
      "Who scrolls: reader, browser, skimmer, stress, constant:PX_PER_S, or log:FILE, a recording with lines of T_MS,OFFSET_PX. [default: skimmer]"
  )
  var profile: String?

  @Option(help: "How the list moves after the finger left it. [default: ios]")
  var physics: ScrollPhysics?

  @Option(help: "The visible part of the list, WIDTHxHEIGHT. [default: 412x823]")
  var viewport: PixelSize?

  @Option(help: "Frames a second. [default: 60]")
  var hz: Int?

  @Option(
    help:
      "How long each loader is scrolled, such as 60s, 500ms, 2m or 1h; seconds without a unit. [default: 60s, in real time 15s, with log:FILE as long as that]"
  )
  var duration: TimeAmount?

  /// Those that were given.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--profile": profile, "--physics": physics, "--viewport": viewport, "--hz": hz, "--duration": duration,
    ]
    return options.given
  }

  /// Sets what they say. A recorded scroll is played as long as it is, unless these options or a scenario say otherwise.
  func apply(to configuration: inout SimulationConfiguration, hasScenario: Bool) throws(LoadError) {
    if let viewport { configuration.viewport.size = viewport }
    if let hz { configuration.viewport.refreshRate = hz }
    if let profile { configuration.gesture.profile = try ScrollProfile(parsing: profile) }
    if let physics { configuration.gesture.physics = physics }
    if case .log(let log) = configuration.gesture.profile {
      let log = try read(log)
      configuration.gesture.profile = .log(log)
      if !hasScenario {
        let durations = SimulationConfiguration.durations(in: configuration.time)
        configuration.duration = min(max(log.duration, durations.lowerBound), durations.upperBound)
      }
    }
    if let duration { configuration.duration = duration.duration }
  }
}

extension ScrollOptions {
  /// The log in the file that is called as `log` is.
  ///
  /// - Throws: What is wrong with it, by the field of the scenario that names it unless an option does.
  private func read(_ log: ScrollLog) throws(LoadError) -> ScrollLog {
    do throws(LoadError) {
      // 64 MB: as many samples as a log may have.
      return try ScrollLog(name: log.name, csv: try FileOutput.read(log.name, limit: 64 << 20))
    } catch {
      guard profile == nil else { throw error }
      throw LoadError(error.kind, "gesture.profile: " + error.message)
    }
  }
}

extension ScrollPhysics: Choice {}
