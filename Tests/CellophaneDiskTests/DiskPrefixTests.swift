internal import CellophaneDisk
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite struct DiskPrefixTests {
  @Test(arguments: [nil, 301, 70_000, Int.max] as [Int?]) func `a prefix is read unchanged after a restart`(
    total: Int?
  )
    async throws
  {
    let files = MemoryFileSystem()
    let stored = prefix(1, size: 300, total: total)
    await DiskCache.make(files).store(stored, for: try key(1))
    let cache = DiskCache.make(files, now: 1_000 + StoredPrefix.lifetime)
    #expect(await cache.prefix(for: try key(1)) == stored)
    #expect(await cache.prefix(for: try key(2)) == nil)
    #expect(await cache.counters.errors == 0)
  }

  @Test func `a prefix and a response of one key are independent`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(response(1, size: 500), for: try key(1))
    await cache.store(prefix(2, size: 300, total: 900), for: try key(1))
    #expect(await cache.response(for: try key(1)) == response(1, size: 500))
    #expect(await cache.prefix(for: try key(1)) == prefix(2, size: 300, total: 900))
    await cache.remove(for: try key(1))
    #expect(await cache.prefix(for: try key(1)) != nil)
    await cache.store(response(1, size: 500), for: try key(1))
    await cache.removePrefix(for: try key(1))
    #expect(await cache.prefix(for: try key(1)) == nil)
    #expect(await cache.response(for: try key(1)) != nil)
    #expect(files.prefixes.isEmpty)
  }

  @Test func `an empty or complete body is not stored as a prefix and removes the earlier one`() async throws
  {
    for (size, total) in [(0, nil), (0, 10), (10, 10), (10, 9), (10, 0), (10, -1), (10, .min)]
      as [(Int, Int?)]
    {
      let files = MemoryFileSystem()
      let cache = DiskCache.make(files)
      await cache.store(prefix(1, size: 100, total: 200), for: try key(1))
      await cache.store(prefix(1, size: size, total: total), for: try key(1))
      #expect(await cache.prefix(for: try key(1)) == nil, "\(size) of \(total ?? 0)")
      #expect(files.prefixes.isEmpty, "\(size) of \(total ?? 0): the earlier prefix is out of date")
    }
  }

  @Test func `a prefix follows the rules of responses: no-store, credentials and size`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    var forbidden = prefix(1, size: 100, total: 200)
    forbidden.headers["cache-control"] = "no-store"
    await cache.store(forbidden, for: try key(1))
    let secret = try Request("http://h/a", headers: ["authorization": "Bearer 1"], options: 0).key.response
    await cache.store(prefix(1, size: 100, total: 200), for: secret)
    #expect(await cache.prefix(for: secret) == nil)
    await cache.removePrefix(for: secret)
    await cache.store(prefix(1, size: 1 << 17, total: nil), for: try key(1))
    #expect(await cache.counters.refused == 1)
    #expect(files.files.isEmpty)
  }

  /// Each file is planted under the name of the other.
  @Test func `a prefix is never read as a response, nor a response as a prefix`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(response(1, size: 500), for: try key(1))
    await cache.store(prefix(2, size: 300, total: 900), for: try key(1))
    let entry = try #require(files.entries.first)
    let partial = try #require(files.prefixes.first)
    let contents = files.files
    files.plant(contents[partial], at: entry)
    files.plant(contents[entry], at: partial)
    #expect(await cache.response(for: try key(1)) == nil)
    #expect(await cache.prefix(for: try key(1)) == nil)
    #expect(await cache.counters.corrupt == 2)
    #expect(files.entries.isEmpty && files.prefixes.isEmpty)
  }

  @Test func `every damaged prefix is a miss and is removed`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(prefix(1, size: 60, total: 100), for: try key(1))
    let path = try #require(files.prefixes.first)
    let file = try #require(files.files[path])
    var damages = file.indices.map { index in (file[..<index] + [file[index] ^ 1] + file[(index + 1)...]) }
    damages += file.indices.map { file[..<$0] }
    damages += [file + [0], [0] + file]
    for (number, damage) in damages.enumerated() {
      files.plant(Array(damage), at: path)
      #expect(await cache.prefix(for: try key(1)) == nil, "damage \(number)")
      #expect(files.prefixes.isEmpty, "damage \(number)")
    }
    #expect(await cache.counters.corrupt == damages.count)
  }

  @Test(arguments: [
    StoredPrefix.lifetime + 1, 4 * StoredPrefix.lifetime, -3_600, -1 << 40, Int64.max - 1_000,
  ])
  func `a prefix past its lifetime, or from the future, is removed`(after seconds: Int64) async throws {
    let files = MemoryFileSystem()
    await DiskCache.make(files).store(prefix(1, size: 300, total: nil), for: try key(1))
    #expect(await DiskCache.make(files, now: 1_000 + seconds).prefix(for: try key(1)) == nil)
    #expect(files.prefixes.isEmpty)
  }

  @Test func `an expired prefix is removed before older responses`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(response(1, size: 9_000), for: try key(1))
    await cache.store(prefix(2, size: 9_000, total: nil), for: try key(2))
    await cache.trim(to: 6 * 4_096)
    #expect(files.entries.count == 1 && files.prefixes.count == 1)
    files.advance(by: .seconds(StoredPrefix.lifetime + 1))
    await cache.trim(to: 6 * 4_096)
    #expect(files.entries.count == 1 && files.prefixes.isEmpty)
  }

  @Test func `prefixes count toward the size and are evicted by use`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    for number in 1...3 {
      await cache.store(response(number, size: 5_000), for: try key(number))
      await cache.store(prefix(number, size: 5_000, total: 6_000), for: try key(number))
    }
    let stats = await cache.stats()
    #expect(stats.entries == 3 && stats.prefixes == 3 && stats.bytes == files.occupied)
    let list = await cache.list()
    #expect(list.map(\.isPrefix).count { $0 } == 3 && list.count == 6)
    #expect(await cache.verify().intact == 6)
    files.advance(by: .seconds(61))
    _ = await cache.prefix(for: try key(1))
    await cache.trim(to: 2 * 8_192)
    #expect(await cache.prefix(for: try key(1)) != nil && files.entries.isEmpty)
    #expect(await cache.prefix(for: try key(3)) != nil && files.prefixes.count == 2)
  }

  @Test func `a sweep removes prefixes of other versions`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    _ = try files.directory(at: "/cache", creating: true)
    let digits = String(repeating: "0", count: 32)
    let kept = ["\(digits).cellophane-3pp", "\(digits).cellophane-p", "\(digits)-3p"].map { "/cache/" + $0 }
    for path in kept + [
      "/cache/\(digits).cellophane-1p", "/cache/\(digits).cellophane-4p", "/cache/\(digits).cellophane-1",
    ] {
      files.plant([1], at: path)
    }
    await cache.trim(to: 1 << 20)
    #expect(Set(files.files.keys) == Set(kept))
  }
}
