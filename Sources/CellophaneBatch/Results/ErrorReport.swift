package import Cellophane

/// An error as results report it.
package struct ErrorReport: Encodable, Equatable, Sendable {
  package let kind: String
  package let retryable: Bool
  package private(set) var message: String
  /// The status code of the origin; nil if the error is not about a status.
  package let status: Int?
  /// The number of attempts; nil for a single one.
  package let attempts: Int?
  /// The seconds after which a request may succeed; nil if unknown.
  package let retryAfter_s: Double?
  /// The reported error, for advice; nil if it is not a `LoadError`. Not encoded.
  package let cause: LoadError?

  private enum CodingKeys: String, CodingKey {
    case kind, retryable, message, status, attempts, retryAfter_s
  }

  /// - Parameters:
  ///   - attempts: The number of failed attempts.
  package init(_ error: LoadError, attempts: Int = 1) {
    cause = error
    kind = error.kind.rawValue
    retryable = error.isRetryable
    status = error.status
    self.attempts = attempts > 1 ? attempts : nil
    retryAfter_s = error.retryAfter.map { $0 / .seconds(1) }
    let count = attempts > 1 ? " after \(attempts) attempts" : ""
    // Rounded up: an earlier retry would be too early.
    let pause = error.retryAfter.map { Duration.seconds(($0 / .seconds(1)).rounded(.up)).inWords }
    let advice = error.isRetryable ? pause.map { "; retry in \($0)" } ?? "" : ""
    message = error.message + count + advice
  }

  /// Creates the report of an error that is not a `LoadError`.
  package init(kind: String, message: String) {
    cause = nil
    self.kind = kind
    retryable = false
    self.message = message
    status = nil
    attempts = nil
    retryAfter_s = nil
  }

  /// Returns the report with `advice` at the end of its message.
  package func adding(_ advice: String?) -> ErrorReport {
    guard let advice else { return self }
    var report = self
    report.message += "; " + advice
    return report
  }

  /// Adds the members of the error and its stage to `json`. The record itself has the status.
  func addMembers(to json: inout JSONLine, at stage: BatchStage) {
    json.add("kind", kind)
    json.add("stage", stage.rawValue)
    json.add("retryable", retryable)
    json.add("message", message)
    if let retryAfter_s { json.add("retryAfter_s", retryAfter_s) }
  }

  /// Returns the message, with `subject` in front unless the message contains it.
  package func message(naming subject: String) -> String {
    if message.contains(subject) { return message }
    // A message about the origin of a URL becomes one about the URL, so that it does not repeat the origin.
    let origin = message.prefix { $0 != " " }
    if origin.contains("://"), origin.count(where: { $0 == "/" }) == 2, subject.count <= 200,
      subject.hasPrefix(origin + "/")
    {
      return subject + message.dropFirst(origin.count)
    }
    // 200 characters: a longer subject would fill the screen.
    return (subject.count > 200 ? subject.prefix(200) + "..." : subject) + ": " + message
  }
}
