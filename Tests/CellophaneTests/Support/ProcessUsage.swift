internal import Foundation

/// What a process holds that a leak would add to. Measured in a process of its own, where nothing else runs.
struct ProcessUsage: Equatable {
  /// Open file descriptors.
  let descriptors: Int
  /// Threads.
  let threads: Int

  /// Of this process, now.
  static var now: ProcessUsage {
    func count(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
    }
    return ProcessUsage(descriptors: count("fd"), threads: count("task"))
  }

  /// The memory of this process that is in RAM now, in bytes: the second field of /proc/self/statm counts
  /// its pages (proc_pid_statm(5)).
  static var residentBytes: Int {
    let text = (try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(NSPageSize())
  }
}
