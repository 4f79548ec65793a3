internal import ArgumentParser

/// A command whose arguments are checked together after parsing.
///
/// The parser calls `validate()` before it reports unknown options. The value of a misspelled option then counts as a
/// further argument, and a check there would report that argument instead of the option.
protocol CheckedCommand: ParsableCommand {
  /// - Throws: `ValidationError` for arguments that do not fit together.
  func checkArguments() throws
}

extension CheckedCommand {
  /// Checks the arguments.
  ///
  /// - Throws: ``Failure`` with the help of this command.
  func reportingCheck() throws {
    do { try checkArguments() } catch {
      let name = Self.configuration.commandName ?? ""
      throw Failure.usage(Self.message(for: error), seeing: "cellophane \(name) --help")
    }
  }
}
