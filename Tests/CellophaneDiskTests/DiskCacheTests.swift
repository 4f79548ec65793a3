internal import CellophaneDisk
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite struct DiskCacheTests {
  @Test func `a stored response is read unchanged, also by another cache`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    let key = try key(1)
    let response = response(1, size: 5_000)
    #expect(await cache.response(for: key) == nil)
    await cache.store(response, for: key)
    #expect(await cache.response(for: key) == response)
    let another = DiskCache.make(files)
    #expect(await another.response(for: key) == response)
    let counters = await cache.counters
    #expect(counters.hits == 1 && counters.misses == 1 && counters.stores == 1 && counters.errors == 0)
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 100_000]) func `bodies of every size are read unchanged`(size: Int)
    async throws
  {
    let cache = DiskCache.make(MemoryFileSystem())
    await cache.store(response(1, size: size), for: try key(1))
    #expect(await cache.response(for: try key(1)) == response(1, size: size))
  }

  @Test func `header fields, status and date are read unchanged`() async throws {
    let cache = DiskCache.make(MemoryFileSystem())
    var stored = response(1, size: 10)
    stored.status = 404
    stored.headers = ["content-type": "image/png", "x": "", "set-cookie": "a=ü", "set-cookie": "b"]
    stored.storedAt = -5
    await cache.store(stored, for: try key(1))
    #expect(await cache.response(for: try key(1)) == stored)
  }

  @Test func `a store overwrites, removal takes one entry, clearing takes all`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    for number in 1...3 { await cache.store(response(number, size: 100), for: try key(number)) }
    await cache.store(response(9, size: 7), for: try key(1))
    #expect(await cache.response(for: try key(1)) == response(9, size: 7))
    await cache.remove(for: try key(1))
    #expect(await cache.response(for: try key(1)) == nil)
    #expect(await cache.stats().entries == 2)
    files.plant([1, 2, 3], at: "/cache/cellophane-tmp-0123456789abcdef-7")
    files.plant([1, 2, 3], at: "/cache/holiday.jpg")
    await cache.removeAll()
    await cache.settle()
    let stats = await cache.stats()
    #expect(stats.entries == 0 && stats.bytes == 0 && stats.limit == 1 << 20)
    #expect(files.files.keys.sorted() == ["/cache/cellophane-total", "/cache/holiday.jpg"])
  }

  @Test func `every part of the key separates responses`() async throws {
    let requests = [
      try Request("http://h/a", options: 0),
      try Request("http://h/b", options: 0),
      try Request("http://h/a", headers: ["accept": "image/png"], options: 0),
      try Request("http://h/a", headers: ["accept": "image/jpeg"], options: 0),
      try Request("http://h/a", headers: ["x": "accept", "accept": "x"], options: 0),
      try Request("http://h/a", account: "anna", options: 0),
      try Request("http://h/a", account: "otto", options: 0),
    ]
    let cache = DiskCache.make(MemoryFileSystem())
    for (number, request) in requests.enumerated() {
      #expect(await cache.response(for: request.key.response) == nil)
      await cache.store(response(number, size: 50), for: request.key.response)
    }
    for (number, request) in requests.enumerated() {
      #expect(await cache.response(for: request.key.response) == response(number, size: 50))
    }
    let list = await cache.list()
    #expect(list.map(\.url) == Array(repeating: "http://h/a", count: 6) + ["http://h/b"])
    #expect(list.compactMap(\.account) == ["anna", "otto"])
  }

  @Test func `a request with credentials reads and writes no file`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    let secret = try Request("http://h/a", headers: ["authorization": "Bearer 1"], options: 0).key.response
    await cache.store(response(1, size: 50), for: secret)
    #expect(await cache.response(for: secret) == nil)
    await cache.remove(for: secret)
    #expect(files.operations == 0 && files.files.isEmpty)
  }

  @Test(arguments: ["no-store", "private, No-Store", "max-age=60,no-store"])
  func `no-store keeps the response off the disk and removes the earlier one`(control: String) async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    var forbidden = response(1, size: 50)
    forbidden.headers["cache-control"] = control
    await cache.store(forbidden, for: try key(1))
    #expect(files.files.isEmpty)
    #expect(
      files.operations == 1, "it tries to remove the earlier response, in a directory that does not exist")

    await cache.store(response(1, size: 50), for: try key(1))
    await cache.store(forbidden, for: try key(1))
    #expect(await cache.response(for: try key(1)) == nil, "the earlier response is out of date")
  }

  @Test func `the list shows URL, size, freshness and time of use`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    var fresh = response(2, size: 300)
    fresh.headers = ["cache-control": "max-age=100", "x": String(repeating: "long ", count: 2_000)]
    await cache.store(response(1, size: 70_000), for: try key(1))
    files.advance(by: .seconds(5))
    await cache.store(fresh, for: try key(2))
    files.plant([1, 2, 3], at: "/cache/00000000000000000000000000000000-2")
    let list = await cache.list()
    #expect(list.map(\.url) == [try key(1).url, try key(2).url])
    #expect(list.map(\.size) == [70_000, 300])
    #expect(list.map { $0.freshness.isFresh(at: 1_000) } == [false, true])
    #expect(list[0].sinceUse - list[1].sinceUse > .seconds(5))
  }

  @Test func `verify removes only damaged files`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    for number in 1...5 { await cache.store(response(number, size: 100 * number), for: try key(number)) }
    let paths = files.entries
    var damaged = try #require(files.files[paths[2]])
    damaged[0] ^= 1
    files.plant(damaged, at: paths[2])
    files.plantDirectory(at: paths[4])
    let result = await cache.verify()
    #expect(result.intact == 3 && result.corrupt == 2 && result.unreadable == 0)
    #expect(files.entries.count == 3)
    #expect(await cache.verify().corrupt == 0)
  }

  /// It finds damage in the body, in the trailer, and in the recorded length.
  @Test(arguments: [100, 1_000]) func `verify reads entries that a larger limit permitted`(limit: Int)
    async throws
  {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    for number in 1...4 { await cache.store(response(number, size: 5_000), for: try key(number)) }
    let small = DiskCache.make(files, limit: limit)
    let paths = files.entries
    #expect(await small.verify().intact == 4)
    for (path, distance) in zip(paths, [5_000, 100, 30]) {
      var damaged = try #require(files.files[path])
      damaged[damaged.count - distance] ^= 1
      files.plant(damaged, at: path)
    }
    let result = await small.verify()
    #expect(result.intact == 1 && result.corrupt == 3 && result.unreadable == 0)
    #expect(files.entries == [paths[3]])
  }

  /// The new file may be longer or shorter than the listed one.
  @Test(arguments: [100, 1 << 20]) func `verify accepts files that another process replaces during the run`(
    limit: Int
  ) async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    for number in 1...4 { await cache.store(response(number, size: 5_000), for: try key(number)) }
    let before = files.files
    for number in 1...4 {
      await cache.store(response(number, size: 4_990 + 5 * number), for: try key(number))
    }
    let after = files.files
    for (path, bytes) in before { files.plant(bytes, at: path) }
    let isListed = Shared(false)
    let result = await DiskCache.make(files, limit: limit).verify { _, total in
      guard total == nil, !isListed.value else { return }
      isListed.value = true
      for (path, bytes) in after { files.plant(bytes, at: path) }
    }
    #expect(isListed.value && result.intact == 4 && result.corrupt == 0 && result.unreadable == 0)
    #expect(files.entries.count == 4)
  }

  /// No transport delivers that many.
  @Test func `a response with 2 MB of header fields is refused`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: 64 << 20)
    var long = response(1, size: 100)
    long.headers.append("x-long", String(repeating: "a", count: 2 << 20))
    #expect(await cache.store(long, for: try key(1)) == .tooLarge)
    #expect(files.entries.isEmpty)
  }

  /// The other name is that of another key, or a response's name for a prefix and the reverse.
  @Test func `verify removes an entry under the name of another`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(response(1, size: 100), for: try key(1))
    await cache.store(prefix(1, size: 100, total: 200), for: try key(1))
    let (entry, partial) = (try #require(files.entries.first), try #require(files.prefixes.first))
    let misplaced = [
      "/cache/00000000000000000000000000000000.cellophane-3": files.files[entry],
      "/cache/00000000000000000000000000000000.cellophane-3p": files.files[partial],
      String(partial.dropLast()): files.files[partial],
      entry + "p": files.files[entry],
    ]
    for (path, bytes) in misplaced {
      let original = files.files[path]
      files.plant(bytes, at: path)
      let found = await cache.verify()
      #expect(found.corrupt == 1 && found.intact == (original == nil ? 2 : 1), "\(path): \(found)")
      #expect(files.files[path] == nil, "\(path)")
      if let original { files.plant(original, at: path) }
    }
    #expect(await cache.verify().intact == 2)
  }

  @Test func `a Vary marker does not count as a response`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    let varyMarker = StoredResponse(status: 0, headers: ["vary": "user-agent"], body: [], storedAt: 1_000)
    await cache.store(varyMarker, for: try key(1))
    for number in 2...3 { await cache.store(response(number, size: 0), for: try key(number)) }
    let stats = await cache.stats()
    #expect(stats.entries == 2 && stats.varyMarkers == 1 && stats.bytes == 3 * 4_096)
    #expect(await cache.list().map(\.url) == [try key(2).url, try key(3).url])
    #expect(await cache.verify().intact == 3)
    await cache.store(prefix(4, size: 50, total: 100), for: try key(4))
    #expect(await cache.counters.stores == 2)
    #expect(await cache.stats().prefixes == 1)
  }

  @Test(
    arguments: [
      (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x/cellophane"),
      (["HOME": "/h"], "/h/.cache/cellophane"),
      (["XDG_CACHE_HOME": "x", "HOME": "/h"], "/h/.cache/cellophane"),
      (["XDG_CACHE_HOME": "", "HOME": ""], nil),
      ([:], nil),
    ] as [([String: String], String?)])
  func `the default directory follows XDG_CACHE_HOME, then HOME`(
    environment: [String: String], expected: String?
  ) {
    #expect(DiskCache.defaultDirectory(environment: environment) == expected)
  }
}
