@testable internal import CellophaneDisk
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// Damage to a file in the cache directory. A lookup then misses and never returns other bytes than were stored.
@Suite struct DiskDamageTests {
  /// Creates a cache with one entry. Returns it with the path and bytes of the entry's file.
  private func stored() async throws -> (DiskCache, MemoryFileSystem, path: String, file: [UInt8]) {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(response(1, size: 100), for: try key(1))
    let path = try #require(files.entries.first)
    return (cache, files, path, try #require(files.files[path]))
  }

  /// Expects that a lookup misses and removes the file when its bytes are `damaged`.
  private func expectCorrupt(_ damaged: [UInt8], _ damage: String) async throws {
    let (cache, files, path, _) = try await stored()
    files.plant(damaged, at: path)
    #expect(await cache.response(for: try key(1)) == nil, "\(damage)")
    #expect(files.files[path] == nil, "\(damage): the file remains")
    let counters = await cache.counters
    #expect(counters.corrupt == 1 && counters.misses == 1 && counters.errors == 0, "\(damage)")
    #expect(await cache.list().isEmpty)
  }

  @Test func `every flipped byte is a miss`() async throws {
    let (_, _, _, file) = try await stored()
    for index in file.indices {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var damaged = file
        damaged[index] ^= mask
        try await expectCorrupt(damaged, "byte \(index) ^ \(mask)")
      }
    }
  }

  @Test func `every truncation is a miss`() async throws {
    let (_, _, _, file) = try await stored()
    for count in 0..<file.count {
      try await expectCorrupt(Array(file.prefix(count)), "cut to \(count)")
      try await expectCorrupt(Array(file.suffix(count)), "last \(count)")
    }
  }

  @Test func `added or repeated bytes are a miss`() async throws {
    let (_, _, _, file) = try await stored()
    for extra in [[0], [255], file, Array(file.suffix(32))] as [[UInt8]] {
      try await expectCorrupt(file + extra, "\(extra.count) bytes behind")
      try await expectCorrupt(extra + file, "\(extra.count) bytes before")
    }
  }

  @Test func `wrong lengths in the trailer are a miss`() async throws {
    let (_, _, _, file) = try await stored()
    for offset in [file.count - 32, file.count - 28, file.count - 24] {
      for value in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
        var damaged = file
        for byte in 0..<4 { damaged[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
        if damaged != file { try await expectCorrupt(damaged, "\(value) at \(offset)") }
      }
    }
  }

  @Test func `a directory under the entry's name is a miss`() async throws {
    let (cache, files, path, _) = try await stored()
    files.plantDirectory(at: path)
    #expect(await cache.response(for: try key(1)) == nil)
    await cache.store(response(1, size: 100), for: try key(1))
    #expect(await cache.response(for: try key(1)) == response(1, size: 100))
  }

  @Test func `a store replaces a directory under the entry's name`() async throws {
    let (cache, files, path, _) = try await stored()
    files.plantDirectory(at: path)
    await cache.store(response(1, size: 90), for: try key(1))
    #expect(await cache.response(for: try key(1)) == response(1, size: 90))
    #expect(await cache.counters.errors == 0)
  }

  @Test func `an intact entry of another key with the same hash is a miss`() async throws {
    let (cache, files, path, file) = try await stored()
    await cache.store(response(2, size: 70), for: try key(2))
    let other = try #require(files.entries.first { $0 != path })
    files.plant(file, at: other)
    #expect(await cache.response(for: try key(2)) == nil)
    #expect(await cache.counters.corrupt == 0)
    #expect(files.files[other] == file, "an intact entry of another key stays")
    await cache.store(response(2, size: 70), for: try key(2))
    #expect(await cache.response(for: try key(2)) == response(2, size: 70))
  }

  @Test func `a file larger than the limit is not read`() async throws {
    let (cache, files, path, file) = try await stored()
    files.plant(file + [UInt8](repeating: 0, count: 1 << 20), at: path)
    #expect(await cache.response(for: try key(1)) == nil)
  }

  @Test func `any contents of the ledger are replaced`() async throws {
    for contents in [[], [0], [UInt8](repeating: 0, count: 56), [UInt8](repeating: 255, count: 100)] {
      let (cache, files, _, _) = try await stored()
      files.plant(contents, at: "/cache/cellophane-total")
      await cache.store(response(2, size: 100), for: try key(2))
      #expect(await cache.counters.errors == 0, "this cache has a lease and does not read the ledger")
      let other = DiskCache.make(files)
      await other.store(response(2, size: 100), for: try key(2))
      #expect(await other.response(for: try key(2)) == response(2, size: 100))
      #expect(files.files["/cache/cellophane-total"]?.count == 56)
      let counters = await other.counters
      #expect(counters.errors == 0 && counters.evictions == 0)
    }
  }

  /// The checksums are valid; the sum of the amounts overflows.
  @Test(arguments: [.max, .max - 1, 1 << 62, 1 << 61] as [Int])
  func `valid ledgers and leases with extreme amounts cause no overflow`(amount: Int)
    async throws
  {
    let (_, files, _, _) = try await stored()
    let ledger = Ledger(bytes: amount, leased: .max, holders: .max, sweptAt: .min, sweeps: .max)
    files.plant(ledger.encoded, at: "/cache/cellophane-total")
    for holder in 1...3 {
      files.plant(Lease.encoded(amount), at: "/cache/cellophane-lease-000000000000000\(holder)")
    }
    let cache = DiskCache.make(files)
    await cache.store(response(2, size: 100), for: try key(2))
    await cache.finishBackgroundWork()
    await cache.store(response(2, size: 100), for: try key(2))
    #expect(await cache.response(for: try key(2)) == response(2, size: 100))
    await cache.trim(to: .min)
    #expect(files.entries.isEmpty)
    #expect(await cache.counters.errors == 0)
  }

  /// The sum of the sizes exceeds 64 bits. Only a file system in memory accepts such files.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")))
  func `sparse files whose sizes overflow are removed`() async throws {
    let directory = "/dev/shm/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = DiskCache(directory: directory)
    await cache.store(response(1, size: 100), for: try key(1))
    let names = [".cellophane-3", ".cellophane-3p", ".cellophane-2"].flatMap { suffix in
      (1...3).map { String(repeating: "0", count: 31) + "\($0)" + suffix }
    }
    func plant() throws {
      for name in names {
        let file = unsafe open(directory + "/" + name, O_RDWR | O_CREAT, 0o600)
        try #require(ftruncate(file, .max) == 0)
        // As exact as the cache's own dates. A date set by the system may be older than the entry before.
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        try #require(unsafe futimens(file, [now, now]) == 0)
        close(file)
      }
    }
    try plant()
    let stats = await cache.stats()
    #expect(stats.entries == 4 && stats.prefixes == 3 && stats.otherVersions == 3)
    let listing = await cache.listing()
    #expect(listing.entries.map(\.url) == [try key(1).url] && listing.damaged == 6)
    let found = await cache.verify()
    #expect(found.intact == 1 && found.corrupt == 6 && found.unreadable == 0)
    try plant()
    await cache.trim(to: 1 << 20)
    #expect(await cache.stats().bytes == 0, "the most recently used files exceed the bound")
    await cache.store(response(1, size: 100), for: try key(1))
    #expect(await cache.response(for: try key(1)) != nil)
    #expect(await cache.counters.errors == 0)
  }

  /// The size that the file system reports must not be allocated.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")), arguments: [20, 50] as [Int64])
  func `a file grown far beyond memory is a miss`(to bits: Int64) async throws {
    let directory = "/dev/shm/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cache = DiskCache(directory: directory, limit: 1 << 60)
    let responses = [response(1, size: 100), response(2, size: 20 << 20)]
    for (number, stored) in zip(1..., responses) {
      await cache.store(stored, for: try key(number))
      #expect(await cache.response(for: try key(number))?.body == stored.body)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasSuffix(".cellophane-3") }
    for name in names { try #require(unsafe truncate(directory + "/" + name, 1 << bits) == 0) }
    for number in 1...2 { #expect(await cache.response(for: try key(number)) == nil) }
    #expect(names.count == 2)
    #expect(await cache.counters.corrupt == 2)
    #expect(await cache.stats().entries == 0)
  }
}
