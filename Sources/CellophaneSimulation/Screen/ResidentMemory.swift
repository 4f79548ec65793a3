#if canImport(Glibc)
  internal import FoundationEssentials
  internal import Glibc
#endif

/// The resident memory of this process.
enum ResidentMemory {
  /// The current size, in bytes; nil on systems without `/proc`. Takes about 20 µs.
  static var bytes: Int? {
    #if canImport(Glibc)
      // The second field of /proc/self/statm is the resident set in pages (proc_pid_statm(5)).
      guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/statm")),
        let text = String(data: data, encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
      else { return nil }
      return pages * sysconf(Int32(_SC_PAGESIZE))
    #else
      return nil
    #endif
  }
}
