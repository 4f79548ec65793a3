internal import Cellophane

/// Why a command ends early: an error to print, and the exit code that goes with it.
struct Failure: Error {
  let exit: ExitStatus
  /// Nothing is printed for a failure that was reported before, item by item.
  private let error: PrintedError?
  private var isJSON = false

  /// What `--json` prints of an error.
  struct PrintedError: Encodable {
    let kind: String
    let retryable: Bool
    let message: String
    /// How often its origin was asked; nil for once.
    let attempts: Int?
    /// In how many seconds its origin wants to be asked again, or will say something else; nil when it did not say.
    let retryAfter_s: Double?

    init(_ error: LoadError) {
      kind = error.kind.rawValue
      retryable = error.isRetryable
      attempts = error.attempts > 1 ? error.attempts : nil
      retryAfter_s = error.retryAfter.map { $0 / .seconds(1) }
      let asked = attempts.map { " after \($0) attempts" } ?? ""
      let wants = error.isRetryable ? error.retryAfter.map { "; try again in \(Text.span($0))" } ?? "" : ""
      message = error.message + asked + wants
    }

    /// The message, which names `subject`, shortened, unless it does so by itself.
    func message(naming subject: String) -> String {
      if message.contains(subject) { return message }
      // 200: longer ones fill the screen.
      return (subject.count > 200 ? subject.prefix(200) + "..." : subject) + ": " + message
    }

    fileprivate init(kind: String, message: String) {
      self.kind = kind
      retryable = false
      self.message = message
      attempts = nil
      retryAfter_s = nil
    }
  }

  /// The load failed, or was interrupted.
  init(_ error: LoadError, json: Bool = false) {
    exit = error.kind == .cancelled ? .interrupted : error.kind == .invalidRequest ? .usage : .failed
    self.error =
      error.kind == .cancelled
      ? PrintedError(kind: "interrupted", message: "stopped by the user; what was finished is kept")
      : PrintedError(error)
    isJSON = json
  }

  /// Ends with `exit`; what there was to say has been said.
  init(reported exit: ExitStatus) {
    self.exit = exit
    error = nil
  }

  private init(exit: ExitStatus, error: PrintedError) {
    self.exit = exit
    self.error = error
  }

  /// The command line cannot be understood; the command `help` tells how it is written.
  static func usage(_ message: String, seeing help: String) -> Failure {
    let line = message.split(separator: "\n").joined(separator: " ")
    return Failure(exit: .usage, error: PrintedError(kind: "usage", message: line + " (see \(help))"))
  }

  /// Prints the error: one line on standard error; with `--json` an object on standard output, too.
  func report() {
    guard let error, !Output.hasNoReader else { return }
    Output.error("\(error.kind): \(error.message)")
    // Where results cannot be written, the line above has said so.
    if isJSON { try? Output.json(["error": error]) }
  }
}
