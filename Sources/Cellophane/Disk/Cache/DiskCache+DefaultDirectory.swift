extension DiskCache {
  /// Where a command-line tool keeps its cache: `$XDG_CACHE_HOME/cellophane`, else
  /// `$HOME/.cache/cellophane`, by the XDG base directory specification, which ignores a relative path. Nil
  /// when the environment names neither.
  public static func defaultDirectory(environment: [String: String]) -> String? {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return absolute("XDG_CACHE_HOME").map { $0 + "/cellophane" }
      ?? absolute("HOME").map { $0 + "/.cache/cellophane" }
  }
}
