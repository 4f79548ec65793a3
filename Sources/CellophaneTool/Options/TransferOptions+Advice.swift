internal import Cellophane
internal import CellophaneBatch

extension TransferOptions {
  /// Returns the option or the check that can change the outcome of a failed load, or nil.
  ///
  /// The library's errors do not name options, which only the tool has.
  ///
  /// - Parameter kind: The content that the command requires.
  func advice(on error: ErrorReport, requiring kind: ContentKind) -> String? {
    let text = error.message
    return switch LoadError.Kind(rawValue: error.kind) {
    case .notCached where storage.offline: "leave out --offline to load it from the origin"
    case .unsupported where kind == .image: "--as bytes accepts any body"
    // Other limits of bodies and times have no option.
    case .bodyTooLarge where text.contains(" the limit "): "raise --max-bytes"
    case .timeout where text.contains(" was not complete within "): "raise --timeout"
    case .refused where text.contains(" which the configuration denies"):
      "leave out --deny-private to allow it"
    case .status where text.hasSuffix(" answered 404") || text.hasSuffix(" answered 410"): "check the URL"
    // Not for a proxy: its address is in --proxy or in the environment.
    case .connect where text.contains(": connection refused"): "check the address, and that the server runs"
    default: nil
    }
  }
}
