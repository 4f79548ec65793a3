import Cellophane
import Foundation

/// The program `disk-times`, which measures the disk cache.
///
/// `Benchmarks/disk.py` writes commands to standard input and reads one line per command.
///
///     put DIR FIRST COUNT TASKS   -> CPU WALL   Stores COUNT responses of 20 KB.
///     get DIR FIRST COUNT TASKS   -> CPU WALL   Looks them up, with checksums verified.
///     fill DIR FIRST COUNT TASKS  -> CPU WALL   Like put, with responses of 1 KB.
///     first DIR NUMBER 1 1        -> CPU WALL   Opens the directory and looks up one response.
///
/// CPU and WALL are in seconds. TASKS concurrent tasks divide the work; each has one operation at a time.
@main
struct DiskTimes {
  static func main() async throws {
    var caches: [String: DiskCache] = [:]
    let requests = try (0..<200_001).map { try Request("https://example.com/photos/\($0).jpg", options: 0) }
    let keys = requests.map(\.key.response)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 5, let first = Int(words[2]), let count = Int(words[3]), let tasks = Int(words[4])
      else { throw Failed(what: line) }
      let opened = words[0] == "first" ? nil : caches[words[1]]
      let cpu = seconds(CLOCK_PROCESS_CPUTIME_ID)
      let wall = seconds(CLOCK_MONOTONIC)
      let cache = opened ?? DiskCache(directory: words[1], limit: 4 << 30)
      let response = words[0] == "fill" ? Self.small : Self.ordinary
      await withTaskGroup { group in
        for task in 0..<tasks {
          group.addTask {
            for key in keys[(first + task * count / tasks)..<(first + (task + 1) * count / tasks)] {
              if words[0] == "put" || words[0] == "fill" {
                await cache.store(response, for: key)
              } else {
                _ = await cache.response(for: key)
              }
            }
          }
        }
      }
      let answer = "\(seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) \(seconds(CLOCK_MONOTONIC) - wall)\n"
      FileHandle.standardOutput.write(Data(answer.utf8))
      caches[words[1]] = cache
      let counters = await cache.counters
      guard counters.errors == 0, counters.misses == 0 else { throw Failed(what: "\(counters)") }
      if words[0] == "fill" { await cache.settle() }
    }
  }

  private static let ordinary = response(size: 20_480)
  private static let small = response(size: 1_000)

  private static func response(size: Int) -> StoredResponse {
    StoredResponse(
      status: 200,
      headers: [
        "content-type": "image/jpeg", "cache-control": "public, max-age=31536000", "etag": "\"5f2b-61c0\"",
        "last-modified": "Sat, 01 Nov 2025 10:00:00 GMT", "date": "Fri, 21 Nov 2025 10:00:00 GMT",
      ],
      body: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }, storedAt: 1_800_000_000)
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  struct Failed: Error { let what: String }
}
