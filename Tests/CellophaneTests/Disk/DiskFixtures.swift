internal import Cellophane
internal import CellophaneTesting
internal import Foundation

extension DiskCache {
  /// A cache in `/cache` at second 1 000.
  static func make(_ files: some FileSystem, limit: Int = 1 << 20, now: Int64 = 1_000) -> DiskCache {
    DiskCache(
      directory: "/cache", limit: limit, fileSystem: files,
      timeline: Timeline(clock: ContinuousClock()) { now })
  }
}

extension POSIXFileSystem {
  /// One that waits until whoever holds the lock in `directory` has let go, however long the thread that holds it does
  /// not run while many tests do.
  static func patient(in directory: String) -> POSIXFileSystem {
    POSIXFileSystem {
      let file = unsafe open(directory + "/cellophane-total", O_RDWR | O_CLOEXEC)
      guard file >= 0 else { return }
      flock(file, LOCK_EX)
      close(file)
    }
  }
}

extension MemoryFileSystem {
  /// The paths of the entries, sorted.
  var entries: [String] { files.keys.filter { $0.hasSuffix(".cellophane-3") }.sorted() }

  /// The paths of the prefixes, sorted.
  var prefixes: [String] { files.keys.filter { $0.hasSuffix(".cellophane-3p") }.sorted() }

  /// The bytes of every file but those for accounts, in blocks of 4 KB.
  var occupied: Int {
    files.filter { !isAccount($0.key.dropFirst("/cache/".count)) }.values.reduce(0) { $0 + blocks($1.count) }
  }
}

/// Whether the file called `name` is one for accounts, which do not count.
func isAccount(_ name: some StringProtocol) -> Bool {
  name == "cellophane-total" || name.hasPrefix("cellophane-lease-")
}

/// The size of a file in whole blocks of 4 KB.
func blocks(_ size: Int) -> Int { max(1, (size + 4_095) / 4_096) * 4_096 }

func key(_ number: Int) throws -> ResponseKey {
  try Request("http://example.com/\(number)", options: 0).key.response
}

/// A prefix whose bytes follow from its number.
func prefix(_ number: Int, size: Int, total: Int?, storedAt: Int64 = 1_000) -> StoredPrefix {
  let whole = response(number, size: size)
  return StoredPrefix(
    status: 200, headers: whole.headers, bytes: whole.body, total: total, storedAt: storedAt)
}

/// A response whose bytes follow from its number.
func response(_ number: Int, size: Int) -> StoredResponse {
  var body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
  for (index, digit) in "\(number)".utf8.enumerated().prefix(size) { body[index] = digit }
  return StoredResponse(
    status: 200, headers: ["content-type": "image/png", "x-number": "\(number)"], body: body, storedAt: 1_000)
}
