extension DiskCache {
  /// Returns the cache directory of a command-line tool: `$XDG_CACHE_HOME/cellophane` or
  /// `$HOME/.cache/cellophane`; nil if neither variable is set. Relative paths are ignored, as the XDG base
  /// directory specification requires.
  package static func defaultDirectory(environment: [String: String]) -> String? {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return absolute("XDG_CACHE_HOME").map { $0 + "/cellophane" }
      ?? absolute("HOME").map { $0 + "/.cache/cellophane" }
  }
}
