internal import Cellophane
internal import CellophaneBatch

/// Why a command ends early: an error to print, and the exit code that goes with it.
struct Failure: Error {
  let exit: ExitStatus
  /// Nothing is printed for a failure that was reported before, item by item.
  private let error: ErrorReport?
  private var isJSON = false

  /// The load failed, or was interrupted.
  init(_ error: LoadError, json: Bool = false) {
    exit = error.kind == .cancelled ? .interrupted : error.kind == .invalidRequest ? .usage : .failed
    self.error =
      error.kind == .cancelled
      ? ErrorReport(kind: "interrupted", message: "stopped by the user; what was finished is kept")
      : ErrorReport(error)
    isJSON = json
  }

  /// Ends with `exit`; what there was to say has been said.
  init(reported exit: ExitStatus) {
    self.exit = exit
    error = nil
  }

  private init(exit: ExitStatus, error: ErrorReport) {
    self.exit = exit
    self.error = error
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
