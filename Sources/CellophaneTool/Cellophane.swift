internal import ArgumentParser
internal import Cellophane
internal import CellophaneResults

#if os(Linux)
  // Links another malloc. Loads often free memory on another thread than the one that allocated it; glibc's allocator
  // serializes such threads.
  internal import CAllocator
#endif

/// The command-line tool.
@main
struct CellophaneTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellophane",
    abstract: "Load images through caches, and measure what users see while a list scrolls.",
    discussion: """
      Examples:
        cellophane fetch https://example.com/photo.jpg --size 256x256 -o small.png
        cellophane prefetch list.txt --jsonl results.jsonl
        cellophane simulate --network lh-slow4g --html report.html
      """,
    version: SimulationTool.version,
    // Each command states its name. Deriving it from the type takes a third of the parsing time.
    subcommands: [
      Fetch.self, Decode.self, Prefetch.self, Browse.self, Simulate.self, Score.self, Advise.self,
      Report.self,
      CacheCommand.self, OriginCommand.self,
    ])

  static func main() async {
    Platform.occupyStandardStreams()
    Platform.ignoreClosedPipes()
    let isJSON = requestsErrorObject(CommandLine.arguments.dropFirst())
    // First, because Swift's pool waits forever for a thread that it cannot start.
    do throws(LoadError) { try Platform.checkLimits() } catch { end(with: error, isJSON) }
    // Runs while the arguments are parsed, which keeps one processor busy for longer.
    async let preparation: Void = prepare(for: CommandLine.arguments.dropFirst().first)
    do {
      var command: any ParsableCommand
      do { command = try parsed(CommandWords.current()) } catch let failure as Failure {
        throw failure.printingJSON(isJSON)
      }
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
      end(with: error, isJSON)
    } catch {
      let code = exitCode(for: error)
      guard code == .validationFailure else {
        // `exit(withError:)` runs the finalizers of the libraries.
        await preparation
        exit(withError: error)
      }
      let text = UnknownOption.completing(message(for: error))
      let help = help(for: error)
      Failure.usage(ValueForm.completing(text, for: help), seeing: help).printingJSON(isJSON).report()
      Platform.exit(.usage)
    }
  }
}

extension CellophaneTool {
  /// Reports `error` and ends the process.
  private static func end(with error: LoadError, _ isJSON: Bool) -> Never {
    let failure = Failure(error, json: isJSON)
    failure.report()
    Platform.exit(failure.exit)
  }

  /// Starts work that the command with this name will wait for.
  @concurrent private static func prepare(for command: String?) async {
    let loading = [Fetch.configuration.commandName, Prefetch.configuration.commandName]
    if loading.contains(command) { CurlTransport.prepare() }
  }

  /// Returns the command for the words after the name of the tool, with its arguments checked.
  private static func parsed(_ words: some Sequence<String>) throws -> any ParsableCommand {
    let arguments = Self.arguments(words)
    try checkCommandNames(in: arguments)
    let command = try parseAsRoot(arguments)
    if let command = command as? any CheckedCommand { try command.reportingCheck() }
    return command
  }

  /// Returns whether `words`, which may be an invalid command line, request errors as objects on standard output.
  ///
  /// The option of `simulate`, `score` and `advise` takes a file, and only `--json -` requests them.
  static func requestsErrorObject(_ words: some Sequence<String>) -> Bool {
    let words = Array(words.prefix { $0 != "--" })
    // The parser takes every word after these options as their value.
    let indices = words.indices.filter { index in
      (words[index] == "--json" || words[index].hasPrefix("--json="))
        && (index == 0
          || !["-H", "--header", "--ignore-query", "--ignore-header"].contains(words[index - 1]))
    }
    // The last one counts.
    guard let index = indices.last else { return false }
    let command = words.first
    let withoutJSON = [Browse.configuration, Report.configuration, OriginCommand.configuration]
    guard !withoutJSON.contains(where: { $0.commandName == command }) else { return false }
    let withFile = [Simulate.configuration, Score.configuration, Advise.configuration]
    guard withFile.contains(where: { $0.commandName == command }) else { return true }
    return words[index] == "--json=-" || words[index] == "--json" && words[(index + 1)...].first == "-"
  }

  /// Returns `words` with each negative number joined to the option before it by `=`.
  ///
  /// The parser would take the number for an option and report a missing value. No option begins with a digit.
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

  /// Checks the names of commands at the start of `words`, also after `help`.
  ///
  /// - Throws: ``Failure`` for an unknown name, with the most similar command or all commands.
  static func checkCommandNames(in words: [String]) throws {
    var commands: [any ParsableCommand.Type] = configuration.subcommands
    var path = "cellophane"
    let isHelp = words.first == "help"
    for word in isHelp ? words.dropFirst() : words[...] {
      guard isHelp || !commands.isEmpty, !word.hasPrefix("-") else { return }
      guard let command = commands.first(where: { $0.configuration.commandName == word }) else {
        let names = commands.compactMap { $0.configuration.commandName }
        // A URL with a password may take the place of the command.
        let shown = word.contains(":") ? CanonicalURL.withoutUser(word) : word
        let advice =
          word.nearest(of: names).map { ". Did you mean '\($0)'?" }
          ?? (names.isEmpty
            ? "; \(path) has no commands" : "; the commands are \(names.joined(separator: ", "))")
        throw Failure.usage("unknown command '\(shown)'\(advice)", seeing: path + " --help")
      }
      path += " " + word
      commands = command.configuration.subcommands
    }
  }

  /// Returns the command that prints the help for `error`.
  private static func help(for error: any Error) -> String {
    // The last line of the parser's text is: See 'cellophane fetch --help' for more information.
    let quoted = fullMessage(for: error).split(separator: "\n").last?.split(separator: "'") ?? []
    return quoted.count == 3 ? String(quoted[1]) : "cellophane --help"
  }
}
