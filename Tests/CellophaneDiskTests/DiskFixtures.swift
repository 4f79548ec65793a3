internal import CellophaneDisk
internal import CellophaneTesting
internal import Foundation

extension DiskCache {
  /// Creates a cache in `/cache` at second 1 000.
  static func make(_ files: some FileSystem, limit: Int = 1 << 20, now: Int64 = 1_000) -> DiskCache {
    DiskCache(
      directory: "/cache", limit: limit, fileSystem: files,
      timeline: Timeline(clock: ContinuousClock()) { now })
  }
}

extension POSIXFileSystem {
  /// Creates a file system that waits for the ledger's lock in `directory` without a limit. While many tests run, the
  /// thread that holds the lock may not run for a long time.
  static func waitingForLock(in directory: String) -> POSIXFileSystem {
    POSIXFileSystem {
      let file = unsafe open(directory + "/cellophane-total", O_RDWR | O_CLOEXEC)
      guard file >= 0 else { return }
      flock(file, LOCK_EX)
      close(file)
    }
  }
}

extension MemoryFileSystem {
  /// The size of all files in blocks of 4 KB, without the ledger and the leases.
  var occupied: Int {
    files.filter { !isLedgerOrLease($0.key.dropFirst("/cache/".count)) }.values.reduce(0) {
      $0 + blocks($1.count)
    }
  }
}

/// Returns whether `name` is the ledger or a lease. Their bytes do not count toward the limit.
func isLedgerOrLease(_ name: some StringProtocol) -> Bool {
  name == "cellophane-total" || name.hasPrefix("cellophane-lease-")
}

/// Returns the size of a file in whole blocks of 4 KB.
func blocks(_ size: Int) -> Int { max(1, (size + 4_095) / 4_096) * 4_096 }

/// Returns the key of the URL with this number.
func key(_ number: Int) throws -> ResponseKey {
  try Request("http://example.com/\(number)", options: 0).key.response
}

/// Returns the prefix of a response with bytes that depend on `number`.
func prefix(_ number: Int, size: Int, total: Int?, storedAt: Int64 = 1_000) -> StoredPrefix {
  let whole = response(number, size: size)
  return StoredPrefix(
    status: 200, headers: whole.headers, bytes: whole.body, total: total, storedAt: storedAt)
}

/// Returns a response with bytes that depend on `number`.
func response(_ number: Int, size: Int) -> StoredResponse {
  var body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
  for (index, digit) in "\(number)".utf8.enumerated().prefix(size) { body[index] = digit }
  return StoredResponse(
    status: 200, headers: ["content-type": "image/png", "x-number": "\(number)"], body: body, storedAt: 1_000)
}
