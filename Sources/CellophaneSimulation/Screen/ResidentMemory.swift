#if canImport(Glibc)
  internal import FoundationEssentials
  internal import Glibc
#endif

/// The memory that this process has in RAM.
enum ResidentMemory {
  /// Its size in bytes now; nil where the system does not tell in `/proc`. About 20 µs.
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
