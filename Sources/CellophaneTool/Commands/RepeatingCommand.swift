internal import CellophaneResults

/// The words of the present command line without the options for output. Results that contain them do not depend on those
/// options.
struct RepeatingCommand {
  private var words: [String]

  /// Takes the words of the command line.
  init() {
    words = Array(CommandLine.arguments.dropFirst())
    remove(
      flags: ["--quiet", "--no-tui", "--no-color", "--all"],
      options: ["--json", "--html", "--trace", "--filmstrip", "--export-requests", "--export-run"])
  }

  /// The command as text for a shell.
  var text: String { ShellCommand(["cellophane"] + words).text }

  /// Returns the command with another name and with other values of options.
  ///
  /// - Parameters:
  ///   - name: The name of the command, instead of the first word.
  ///   - values: The options with their values, which replace present ones.
  func changed(to name: String, _ values: [(option: String, value: String)]) -> RepeatingCommand {
    var command = self
    command.remove(flags: [], options: values.map(\.option))
    command.words = [name] + command.words.dropFirst() + values.flatMap { [$0.option, $0.value] }
    return command
  }

  private mutating func remove(flags: [String], options: [String]) {
    var kept: [String] = []
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
      } else if options.contains(word) {
        isValue = true
      } else if !flags.contains(word), !options.contains(where: { word.hasPrefix($0 + "=") }) {
        kept.append(word)
      }
    }
    words = kept
  }
}
