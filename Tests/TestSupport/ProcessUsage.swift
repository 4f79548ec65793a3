internal import Foundation

/// What a process holds that a leak would add to. Measured in a process of its own, where nothing else runs.
package struct ProcessUsage: Equatable {
  /// Open file descriptors.
  package let descriptors: Int
  /// Threads that somebody made. The workers of the system's pools, named after their quality of service, come
  /// and go as the pools like.
  package let threads: Int

  /// Of this process, now.
  package static var now: ProcessUsage {
    func names(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
    }
    let own = names("task").filter { task in
      let name = try? String(contentsOf: URL(filePath: "/proc/self/task/\(task)/comm"), encoding: .utf8)
      // A thread without a name has ended since it was listed.
      return name.map { !$0.contains("qos") } ?? false
    }
    return ProcessUsage(descriptors: names("fd").count, threads: own.count)
  }

  /// The least of some looks: a thread that has ended, and was waited for, is listed for a moment longer.
  package static var settled: ProcessUsage {
    (0..<20).reduce(now) { least, _ in
      let now = now
      return ProcessUsage(
        descriptors: min(least.descriptors, now.descriptors), threads: min(least.threads, now.threads))
    }
  }

  /// The memory of this process that is in RAM now, in bytes: the second field of /proc/self/statm counts
  /// its pages (proc_pid_statm(5)).
  package static var residentBytes: Int {
    let text = (try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(NSPageSize())
  }
}
