package import Cellophane

/// The number of responses that could not be stored in the disk cache, by reason.
package struct StoreFailureCounts: Encodable, Equatable, Sendable {
  package struct Reason: Encodable, Equatable, Sendable {
    package fileprivate(set) var responses: Int
    /// The message of the first failure.
    package let message: String
  }

  package private(set) var responses = 0
  package private(set) var reasons: [String: Reason] = [:]

  package mutating func count(_ failure: StoreFailure) {
    responses += 1
    reasons[failure.kind, default: Reason(responses: 0, message: failure.description)].responses += 1
  }

  /// A text line for each reason, the most frequent reason first.
  package var lines: [String] {
    reasons.sorted { ($1.value.responses, $0.key) < ($0.value.responses, $1.key) }
      .map { kind, reason in
        "not stored in the cache: \(reason.responses) (\(kind)): \(reason.message)"
          + (StoreFailure.remedy(for: kind).map { "; " + $0 } ?? "")
      }
  }
}

extension StoreFailure {
  /// The options that change the outcome; nil if none does. The library's messages name no options.
  package var remedy: String? { Self.remedy(for: kind) }

  fileprivate static func remedy(for kind: String) -> String? {
    switch kind {
    case "device-full", "not-writable", "io":
      "--cache-dir names another directory, --no-cache stores nothing"
    case "too-large": "raise --cache-limit"
    default: nil
    }
  }

  /// The name of the reason. Reasons with the same remedy share a name.
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
