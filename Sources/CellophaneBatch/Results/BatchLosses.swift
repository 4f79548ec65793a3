package import Cellophane

/// The responses of a run that were to be kept and could not be, by reason.
package struct BatchLosses: Encodable, Equatable, Sendable {
  package struct Reason: Encodable, Equatable, Sendable {
    package fileprivate(set) var responses: Int
    /// Of the first of them.
    package let message: String
  }

  package private(set) var responses = 0
  package private(set) var reasons: [String: Reason] = [:]

  package mutating func count(_ loss: StoreFailure) {
    responses += 1
    reasons[loss.kind, default: Reason(responses: 0, message: loss.description)].responses += 1
  }

  /// A sentence for each reason, the most frequent first.
  package var lines: [String] {
    reasons.sorted { ($1.value.responses, $0.key) < ($0.value.responses, $1.key) }
      .map { "not kept in the cache: \($0.value.responses) (\($0.key)): \($0.value.message)" }
  }
}

extension StoreFailure {
  /// One word for what the reader may do about it.
  fileprivate var kind: String {
    switch self {
    case .tooLarge: "too-large"
    case .noRoom: "no-room"
    case .failed(let error):
      switch error.kind {
      case .full: "device-full"
      case .readOnly, .denied, .untrusted: "not-writable"
      case .busy: "busy"
      default: "io"
      }
    }
  }
}
