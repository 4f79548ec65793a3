internal import Cellophane
internal import CellophaneBatch
internal import CellophaneResults

/// The end of a command with an error: the error to print, and the exit code.
struct Failure: Error {
  let exit: ExitStatus
  /// Nil if the errors were printed before.
  private let error: ErrorReport?
  private var isJSON = false

  /// The kind of every error with the exit code ``ExitStatus/usage``.
  private static let invalidArguments = "invalid-arguments"

  /// Creates the failure for an error or an interruption.
  ///
  /// The command line or an input named an invalid request, so its kind is `invalid-arguments`. Only records of a batch
  /// have the kind `invalid-request`.
  ///
  /// - Parameters:
  ///   - attempts: The number of failed attempts of a load.
  ///   - kept: What remains after an interruption, for the message.
  ///   - advice: Returns the remedy for the error, for the end of the message.
  init(
    _ error: LoadError, attempts: Int = 1, json: Bool = false, kept: String = "finished work is kept",
    advice: (LoadError) -> String? = { _ in nil }
  ) {
    switch error.kind {
    case .cancelled:
      exit = Interruption.exit
      self.error = ErrorReport(kind: "interrupted", message: "stopped by a signal; " + kept)
    case .invalidRequest:
      exit = .usage
      self.error = ErrorReport(kind: Self.invalidArguments, message: error.message).adding(advice(error))
    default:
      exit = .failed
      self.error = ErrorReport(error, attempts: attempts).adding(advice(error))
    }
    isJSON = json
  }

  /// Creates a failure whose errors were printed before.
  init(reported exit: ExitStatus) {
    self.exit = exit
    error = nil
  }

  /// Creates a failure for results that do not meet a condition. The results are written.
  init(_ exit: ExitStatus, kind: String, _ message: String) {
    self.init(exit: exit, error: ErrorReport(kind: kind, message: message))
  }

  private init(exit: ExitStatus, error: ErrorReport) {
    self.exit = exit
    self.error = error
  }

  /// Creates the failure for an interruption after which finished parts were written.
  ///
  /// - Parameter parts: The plural name of the parts.
  init(_ incomplete: Incomplete, of parts: String) {
    self.init(
      Interruption.exit, kind: "interrupted",
      "stopped by a signal; the result has \(incomplete.finished) of \(incomplete.planned) \(parts) and is marked"
        + " as incomplete")
  }

  /// Returns the failure for broken invariants.
  static func invariantBroken(_ violations: [String]) -> Failure {
    Failure(.invariantBroken, kind: "invariant-broken", violations.joined(separator: "; "))
  }

  /// Checks the outcomes of assertions.
  ///
  /// - Throws: ``Failure`` if one does not hold, or is not shown to hold.
  static func check(_ assertions: [AssertionOutcome]) throws(Failure) {
    let unmet = assertions.filter { !$0.pass }
    guard !unmet.isEmpty else { return }
    let hasFailed = unmet.contains { $0.verdict == .fails }
    throw Failure(
      .assertionFailed, kind: hasFailed ? "assertion-failed" : "assertion-not-shown",
      unmet.map(\.sentence).joined(separator: "; "))
  }

  /// Returns the failure for a wrong command line. The message refers to the command `help`, and begins with a small
  /// letter, as all errors of the tool do.
  static func usage(_ message: String, seeing help: String) -> Failure {
    let line = message.split(separator: "\n").joined(separator: " ")
    let text = line.prefix(1).lowercased() + line.dropFirst()
    return Failure(
      exit: .usage, error: ErrorReport(kind: invalidArguments, message: text + " (see \(help))"))
  }

  /// Returns this failure, with the object of `--json` if `isJSON`.
  func printingJSON(_ isJSON: Bool) -> Failure {
    var failure = self
    failure.isJSON = isJSON
    return failure
  }

  /// Prints the error as one line on standard error, and with `--json` also as an object on standard output.
  func report() {
    guard let error, !Output.hasNoReader else { return }
    Output.error("\(error.kind): \(error.message)")
    // If standard output cannot be written, the line above has reported it.
    if isJSON { try? Output.json(["error": error]) }
  }
}
