// One line, without credentials.

extension Request: CustomStringConvertible {
  /// The URL, the options and the priority.
  public var description: String {
    "Request(\(key.response.url)\(options is NoOptions ? "" : ", \(options)"), \(priority))"
  }
}

extension ResourceKey: CustomStringConvertible {
  /// The URL and the options.
  public var description: String { options is NoOptions ? response.url : "\(response.url), \(options)" }
}
