internal import Foundation

/// Counts of a process that grow with a leak. Measured in a separate process, where no other test runs.
package struct ProcessUsage: Equatable {
  /// The number of open file descriptors.
  package let descriptors: Int
  /// The number of threads without those of the system's pools. Pool threads, named after their quality of service,
  /// start and end at any time.
  package let threads: Int

  /// The present usage of this process.
  package static var now: ProcessUsage {
    func names(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
    }
    let own = names("task").filter { task in
      let name = try? String(contentsOf: URL(filePath: "/proc/self/task/\(task)/comm"), encoding: .utf8)
      // A thread without a name has ended after the listing.
      return name.map { !$0.contains("qos") } ?? false
    }
    return ProcessUsage(descriptors: names("fd").count, threads: own.count)
  }

  /// The minimum of 20 measurements, because an ended and joined thread is listed for a moment longer.
  package static var settled: ProcessUsage {
    (0..<20).reduce(now) { least, _ in
      let now = now
      return ProcessUsage(
        descriptors: min(least.descriptors, now.descriptors), threads: min(least.threads, now.threads))
    }
  }

  /// The resident memory of this process in bytes. The second field of /proc/self/statm counts its pages
  /// (proc_pid_statm(5)).
  package static var residentBytes: Int {
    let text = (try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(NSPageSize())
  }
}
