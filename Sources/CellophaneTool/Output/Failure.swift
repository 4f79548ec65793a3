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

    init(_ error: LoadError) {
      kind = error.kind.rawValue
      retryable = error.isRetryable
      message = error.message
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

  /// The command line cannot be understood.
  static func usage(_ message: String) -> Failure {
    let line = message.split(separator: "\n").joined(separator: " ")
    return Failure(
      exit: .usage, error: PrintedError(kind: "usage", message: line + " (see cellophane --help)"))
  }

  /// Prints the error: one line on standard error; with `--json` an object on standard output, too.
  func report() {
    guard let error else { return }
    Output.error("\(error.kind): \(error.message)")
    // Where results cannot be written, the line above has said so.
    if isJSON { try? Output.json(["error": error]) }
  }
}
