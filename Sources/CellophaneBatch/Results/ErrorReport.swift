package import Cellophane

/// What is written of an error.
package struct ErrorReport: Encodable, Equatable, Sendable {
  package let kind: String
  package let retryable: Bool
  package let message: String
  /// How often its origin was asked; nil for once.
  package let attempts: Int?
  /// In how many seconds its origin wants to be asked again, or will say something else; nil when it did not say.
  package let retryAfter_s: Double?

  package init(_ error: LoadError) {
    kind = error.kind.rawValue
    retryable = error.isRetryable
    attempts = error.attempts > 1 ? error.attempts : nil
    retryAfter_s = error.retryAfter.map { $0 / .seconds(1) }
    let asked = attempts.map { " after \($0) attempts" } ?? ""
    // A part of a second is one: before, it would be too early.
    let pause = error.retryAfter.map { Duration.seconds(($0 / .seconds(1)).rounded(.up)).inWords }
    let wants = error.isRetryable ? pause.map { "; try again in \($0)" } ?? "" : ""
    message = error.message + asked + wants
  }

  /// An error that is not one of a load.
  package init(kind: String, message: String) {
    self.kind = kind
    retryable = false
    self.message = message
    attempts = nil
    retryAfter_s = nil
  }

  /// Adds its members to `line`, with the step of a line's road at which it happened.
  func addMembers(to line: inout JSONLine, at stage: BatchStage) {
    line.add("kind", kind)
    line.add("stage", stage.rawValue)
    line.add("retryable", retryable)
    line.add("message", message)
    if let attempts { line.add("attempts", attempts) }
    if let retryAfter_s { line.add("retryAfter_s", retryAfter_s) }
  }

  /// The message, which names `subject`, shortened, unless it does so by itself.
  package func message(naming subject: String) -> String {
    if message.contains(subject) { return message }
    // 200: longer ones fill the screen.
    return (subject.count > 200 ? subject.prefix(200) + "..." : subject) + ": " + message
  }
}
