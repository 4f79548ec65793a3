internal import Cellophane

extension TransferOptions {
  /// Returns the option or the check that can change the outcome of a failed load, or nil.
  ///
  /// The library's errors do not name options, which only the tool has. The advice depends on types, not on wording.
  ///
  /// - Parameter kind: The content that `--as` requires; nil for a command without that option.
  func advice(on error: LoadError, requiring kind: ContentKind?) -> String? {
    switch (error.kind, error.detail) {
    case (.notCached, _) where storage.offline: "leave out --offline to load it from the origin"
    case (.unsupported, _) where kind == .image: "--as bytes accepts any body"
    // Other limits of bodies and times have no option.
    case (.bodyTooLarge, .bodyLimit): "raise --max-bytes"
    case (.timeout, .totalTime): "raise --timeout"
    case (.refused, .privateAddress): "leave out --deny-private to allow it"
    case (.status, _) where error.status == 404 || error.status == 410: "check the URL"
    // Not for a proxy: its address is in --proxy or in the environment.
    case (.connect, .unreachable): "check the address, and that the server runs"
    default: nil
    }
  }
}
