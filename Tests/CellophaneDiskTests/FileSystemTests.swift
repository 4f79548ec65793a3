internal import CellophaneDisk
internal import CellophaneTesting
internal import Foundation
internal import Testing

/// The properties that the cache requires of a file system, checked on the real one and on the one in memory.
@Suite struct FileSystemTests {
  /// Runs `body` with the file system in memory and with the real one.
  private func onBoth(_ body: (any FileSystem, String) throws -> Void) throws {
    try body(MemoryFileSystem(answersAtOnce: true), "/d")
    let directory = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(POSIXFileSystem(), directory)
  }

  /// Returns the error kind of `operation`; nil if it succeeds.
  private func kind(_ operation: () throws -> Void) -> FileSystemError.Kind? {
    do {
      try operation()
      return nil
    } catch {
      return (error as? FileSystemError)?.kind
    }
  }

  private func names(_ directory: any FileDirectory) throws -> [String] {
    let listing = try directory.list()
    var names: [String] = []
    while case let next = try listing.next(2), !next.isEmpty { names += next.map(\.name) }
    return names.sorted()
  }

  @Test func `files are written, read, renamed and removed`() throws {
    try onBoth { files, path in
      let directory = try files.directory(at: path, creating: true)
      _ = try files.directory(at: path, creating: true)
      try directory.create("t", [[1, 2], [], [3]])
      #expect(try directory.read("t", atMost: 3).bytes == [1, 2, 3])
      #expect(try directory.rename("t", to: "a") == nil)
      let opened = try directory.open("a")
      #expect(try opened.size == 3 && opened.used == directory.entry("a").used)
      #expect(try opened.end(2) == [2, 3] && opened.end(50) == [1, 2, 3])
      if let cached = directory.readCached("a", atMost: 3) { #expect(cached.bytes == [1, 2, 3]) }
      try directory.create("u", [[9]])
      #expect(try directory.rename("u", to: "a") == 3)
      #expect(try directory.read("a", atMost: 3).bytes == [9])
      #expect(
        try opened.read(2, at: 1) == [2, 3] && opened.read(2, at: 3).isEmpty,
        "an open file keeps its contents after a rename")
      let entry = try directory.entry("a")
      #expect(entry.name == "a" && entry.size == 1 && entry.isRegular)
      for name in ["b", "c", "d", "e"] { try directory.create(name, []) }
      #expect(try names(directory) == ["a", "b", "c", "d", "e"])
      for name in try names(directory) { try directory.remove(name) }
      #expect(try names(directory).isEmpty)
    }
  }

  @Test func `each failure has its error kind`() throws {
    try onBoth { files, path in
      #expect(kind { _ = try files.directory(at: path, creating: false) } == .notFound)
      let directory = try files.directory(at: path, creating: true)
      _ = try files.directory(at: path + "/sub", creating: true)
      #expect(kind { _ = try directory.read("none", atMost: 1) } == .notFound)
      #expect(directory.readCached("none", atMost: 1) == nil)
      #expect(kind { _ = try directory.open("none") } == .notFound)
      #expect(kind { _ = try directory.entry("none") } == .notFound)
      #expect(kind { _ = try directory.rename("none", to: "a") } == .notFound)
      #expect(kind { try directory.remove("none") } == .notFound)
      #expect(kind { try directory.setUsed("none", at: .zero) } == .notFound)
      #expect(kind { _ = try directory.claim("none", creating: false) } == .notFound)
      #expect(kind { try directory.withLock("none", creating: false, waits: true) { _, _ in } } == .notFound)
      #expect(kind { _ = try directory.read("sub", atMost: 9_999) } == .notAFile)
      #expect(directory.readCached("sub", atMost: 9_999) == nil)
      #expect(kind { _ = try directory.open("sub") } == .notAFile)
      #expect(try !directory.entry("sub").isRegular)
      try directory.create("t", [[1, 2, 3, 4, 5]])
      #expect(kind { try directory.create("t", [[1]]) } == .exists)
      #expect(kind { _ = try directory.read("t", atMost: 4) } == .tooLarge)
      #expect(directory.readCached("t", atMost: 4) == nil)
      #expect(kind { _ = try directory.rename("t", to: "sub") } == .notAFile)
      try directory.remove("sub")
    }
  }

  @Test func `dates show the order of use`() throws {
    try onBoth { files, path in
      let directory = try files.directory(at: path, creating: true)
      let before = directory.now - .seconds(1)
      for number in 0..<9 { try directory.create("\(number)", [[1]]) }
      for number in [3, 1, 4, 8, 5] { try directory.setUsed("\(number)", at: directory.now + .seconds(60)) }
      _ = try directory.read("0", atMost: 1)
      let dates = try (0..<9).map { try directory.entry("\($0)").used }
      #expect((0..<9).sorted { dates[$0] > dates[$1] }.prefix(5) == [5, 8, 4, 1, 3])
      #expect(dates[0] > before && dates[0] < before + .seconds(30))
      let years = directory.now + .seconds(20 * 366 * 86_400)
      try directory.setUsed("2", at: years)
      #expect(try directory.entry("2").used == years)
    }
  }

  @Test func `a locked file keeps its contents, and errors pass through`() throws {
    try onBoth { files, path in
      let directory = try files.directory(at: path, creating: true)
      for (before, after) in [([], [1, 2, 3]), ([1, 2, 3], [4]), ([4], [])] as [([UInt8], [UInt8])] {
        try directory.withLock("lock", creating: true, waits: true) {
          contents, replace throws(FileSystemError) in
          #expect(contents == before)
          try replace(after)
        }
      }
      let error = FileSystemError(.full, operation: "try", path: path)
      #expect(throws: error) {
        try directory.withLock("lock", creating: true, waits: true) { _, _ throws(FileSystemError) in
          throw error
        }
      }
      try directory.withLock("lock", creating: true, waits: true) { contents, _ in #expect(contents.isEmpty) }
    }
  }

  @Test func `a claimed file cannot be claimed again until it is released`() throws {
    try onBoth { files, path in
      let directory = try files.directory(at: path, creating: true)
      let other = try files.directory(at: path, creating: false)
      var claim = try directory.claim("c", creating: true)
      try #require(claim).replace(with: [1, 2])
      #expect(try other.claim("c", creating: true) == nil && other.claim("c", creating: false) == nil)
      #expect(try other.read("c", atMost: 9).bytes == [1, 2])
      claim = nil
      let next = try #require(try other.claim("c", creating: false))
      try next.replace(with: [3])
      try directory.remove("c")
      #expect(kind { try next.replace(with: [4]) } == .notFound)
    }
  }

  @Test func `a removed or replaced directory is not in place`() throws {
    try onBoth { files, path in
      let directory = try files.directory(at: path, creating: true)
      #expect(directory.isInPlace)
      if let files = files as? MemoryFileSystem {
        files.vanish(path)
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
      #expect(!directory.isInPlace)
      #expect(kind { try directory.create("a", [[1]]) } == .notFound)
      let other = try files.directory(at: path, creating: true)
      #expect(!directory.isInPlace && other.isInPlace)
      #expect(kind { try directory.create("a", [[1]]) } == .notFound)
    }
  }
}
