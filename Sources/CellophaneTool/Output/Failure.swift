internal import Cellophane
internal import CellophaneBatch
internal import CellophaneSimulation

/// Why a command ends early: an error to print, and the exit code that goes with it.
struct Failure: Error {
  let exit: ExitStatus
  /// Nothing is printed for a failure that was reported before, item by item.
  private let error: ErrorReport?
  private var isJSON = false

  /// The load failed, or was interrupted.
  ///
  /// - Parameter kept: What is there of what was interrupted.
  init(_ error: LoadError, json: Bool = false, kept: String = "what was finished is kept") {
    exit = error.kind == .cancelled ? .interrupted : error.kind == .invalidRequest ? .usage : .failed
    self.error =
      error.kind == .cancelled
      ? ErrorReport(kind: "interrupted", message: "stopped by the user; " + kept)
      : ErrorReport(error)
    isJSON = json
  }

  /// Ends with `exit`; what there was to say has been said.
  init(reported exit: ExitStatus) {
    self.exit = exit
    error = nil
  }

  /// Ends with `exit` for what results have shown, which are written.
  init(_ exit: ExitStatus, kind: String, _ message: String) {
    self.init(exit: exit, error: ErrorReport(kind: kind, message: message))
  }

  private init(exit: ExitStatus, error: ErrorReport) {
    self.exit = exit
    self.error = error
  }

  /// Interrupted, with something to show for it that was written.
  ///
  /// - Parameter things: What there were to be so many of.
  init(_ incomplete: Incomplete, of things: String) {
    self.init(
      .interrupted, kind: "interrupted",
      "stopped by the user; \(incomplete.finished) of \(incomplete.planned) \(things) were finished, and what"
        + " they say is written, marked as incomplete")
  }

  /// Something happened in a run that must not.
  static func broken(_ what: [String]) -> Failure {
    Failure(.invariantBroken, kind: "invariant-broken", what.joined(separator: "; "))
  }

  /// The command line cannot be understood; the command `help` tells how it is written.
  static func usage(_ message: String, seeing help: String) -> Failure {
    let line = message.split(separator: "\n").joined(separator: " ")
    return Failure(exit: .usage, error: ErrorReport(kind: "usage", message: line + " (see \(help))"))
  }

  /// Prints the error: one line on standard error; with `--json` an object on standard output, too.
  func report() {
    guard let error, !Output.hasNoReader else { return }
    Output.error("\(error.kind): \(error.message)")
    // Where results cannot be written, the line above has said so.
    if isJSON { try? Output.json(["error": error]) }
  }
}
