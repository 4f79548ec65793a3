internal import ArgumentParser

/// Advice about unknown options, for error messages.
enum UnknownOption {
  /// Returns the parser's message about an unknown option with its suggestion if that is similar, otherwise with the
  /// commands that have this option.
  ///
  /// The parser suggests any name with three differences, such as `--as` for `--jobs`.
  static func completing(_ message: String) -> String {
    let start = "Unknown option '"
    guard message.hasPrefix(start) else { return message }
    let words = message.split(separator: "'")
    guard words.count >= 2 else { return message }
    let option = String(words[1])
    func name(_ text: some StringProtocol) -> String { String(text.drop { $0 == "-" }) }
    if words.count >= 4, name(option).nearest(of: [name(words[3])]) != nil { return message }
    let owners = commands(with: option)
    let advice = owners.isEmpty ? "" : "; it is an option of " + owners.joined(separator: ", ")
    return start + option + "'" + advice
  }

  /// Returns the names of the commands whose help lists `option`.
  private static func commands(with option: String) -> [String] {
    CellophaneTool.configuration.subcommands.filter { command in
      CellophaneTool.helpMessage(for: command).split(separator: "\n").contains { line in
        line.hasPrefix("  -") && line.split { " ,/".contains($0) }.contains { $0 == option }
      }
    }.compactMap { $0.configuration.commandName }
  }
}
