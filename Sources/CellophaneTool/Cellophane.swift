internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation

#if os(Linux)
  // Links another malloc: loads allocate much on one thread and free it on another, for which glibc's lines them up.
  internal import CAllocator
#endif

/// The command-line tool.
@main
struct CellophaneTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellophane",
    abstract: "Loads images for scrolling lists, and measures what a viewer sees of them.",
    version: SimulationTool.version,
    // Each tells its name: to make it of its type takes a third of what parsing takes.
    subcommands: [
      Fetch.self, Decode.self, Prefetch.self, Browse.self, Simulate.self, Report.self, CacheCommand.self,
      OriginCommand.self,
    ])

  static func main() async {
    Platform.occupyStandardStreams()
    Platform.ignoreClosedPipes()
    // Beside the parsing of the arguments, which keeps one processor busy for longer.
    async let preparation: Void = prepare(for: CommandLine.arguments.dropFirst().first)
    do {
      try Platform.checkLimits()
      var command = try parseAsRoot(Self.arguments(CommandLine.arguments.dropFirst()))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      Platform.exit(.done)
    } catch let failure as Failure {
      failure.report()
      Platform.exit(failure.exit)
    } catch let error as LoadError {
      let failure = Failure(error)
      failure.report()
      Platform.exit(failure.exit)
    } catch {
      let code = exitCode(for: error)
      guard code == .validationFailure else {
        // This way out takes libraries apart.
        await preparation
        exit(withError: error)
      }
      Failure.usage(message(for: error), seeing: help(for: error)).report()
      Platform.exit(.usage)
    }
  }
}

extension CellophaneTool {
  /// Begins what the command of this name will wait for.
  @concurrent private static func prepare(for command: String?) async {
    let loading = [Fetch.configuration.commandName, Prefetch.configuration.commandName]
    if loading.contains(command) { CurlTransport.prepare() }
  }

  /// `words` with a number below zero tied to the option before it: as a word of its own it would be taken for an
  /// option, and the value be missed instead of refused. No option begins with a digit.
  static func arguments(_ words: some Sequence<String>) -> [String] {
    var arguments: [String] = []
    var areOptions = true
    for word in words {
      if word == "--" { areOptions = false }
      let isNumber = word.first == "-" && word.dropFirst().first.map { $0.isNumber || $0 == "." } == true
      if areOptions, isNumber, let last = arguments.last, last.hasPrefix("--"), !last.contains("=") {
        arguments[arguments.count - 1] = last + "=" + word
      } else {
        arguments.append(word)
      }
    }
    return arguments
  }

  /// The command that explains what `error` is about.
  private static func help(for error: any Error) -> String {
    // The parser tells it at the end of its own words: See 'cellophane fetch --help' for more information.
    let quoted = fullMessage(for: error).split(separator: "\n").last?.split(separator: "'") ?? []
    return quoted.count == 3 ? String(quoted[1]) : "cellophane --help"
  }
}
