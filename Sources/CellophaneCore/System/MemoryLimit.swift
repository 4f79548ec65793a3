#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The memory that a process may use.
package enum MemoryLimit {
  /// The smallest limit of this process in bytes when it was first asked for; nil without a limit.
  package static let ofProcess = [addressSpace, controlGroup].compactMap(\.self).min()

  /// The limit of the address space (`ulimit -v`) without the space for the program and its threads; nil without a limit.
  private static var addressSpace: Int? {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_AS
    #else
      let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #endif
    guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur).map(bytes(ofAddressSpace:))
  }

  /// Returns the bytes for data in an address space of `limit` bytes.
  ///
  /// The program takes about 140 MB, and each of seven threads 40 MB: 8 MB of stack, and a segment of the allocator. At
  /// least 64 MB, so that common images can be decoded.
  package static func bytes(ofAddressSpace limit: Int) -> Int { max(64 << 20, limit - (400 << 20)) }

  /// The limit of the control group and its parents; nil without a limit.
  private static var controlGroup: Int? {
    guard let groups = text(of: "/proc/self/cgroup") else { return nil }
    return files(of: groups).compactMap { text(of: $0).flatMap(bytes(in:)) }.min()
  }

  /// Returns the files with the limits of the groups that `/proc/self/cgroup` lists, versions 1 and 2.
  package static func files(of groups: String) -> [String] {
    groups.split(separator: "\n").flatMap { line -> [String] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let isUnified = parts[1].isEmpty
      guard isUnified || parts[1].split(separator: ",").contains("memory") else { return [] }
      let root = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
      let file = isUnified ? "/memory.max" : "/memory.limit_in_bytes"
      // In a container, the path may be that of the host, and the limit is that of the root.
      var path = root
      return [path + file]
        + parts[2].split(separator: "/").map { name in
          path += "/" + name
          return path + file
        }
    }
  }

  /// Returns the limit in the text of such a file; nil for "max" and for the huge number of version 1.
  package static func bytes(in text: String) -> Int? {
    let digits = text.prefix { $0.isNumber }
    return Int(digits).flatMap { $0 < 1 << 62 ? $0 : nil }
  }

  private static func text(of path: String) -> String? {
    (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
  }
}
