internal import Cellophane
internal import CellophaneTesting
internal import Foundation
internal import Testing

/// What the cache may rely on, of the real file system and of the one in memory alike.
@Suite struct FileSystemTests {
  private func onBoth(_ body: (any FileSystem, String) throws -> Void) throws {
    try body(MemoryFileSystem(), "/d")
    let directory = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(POSIXFileSystem(), directory)
  }

  private func kind(_ operation: () throws -> Void) -> FileSystemError.Kind? {
    do {
      try operation()
      return nil
    } catch {
      return (error as? FileSystemError)?.kind
    }
  }

  @Test func writesReadsAndRenames() throws {
    try onBoth { files, directory in
      try files.makeDirectory(at: directory)
      try files.makeDirectory(at: directory)
      let temporary = try files.createTemporary(prefix: directory + "/tmp-", size: 7)
      #expect(try files.use(temporary, atMost: 7) == [0, 0, 0, 0, 0, 0, 0])
      try files.write([[1, 2], [], [3]], to: temporary)
      try files.rename(temporary, to: directory + "/a")
      #expect(try files.use(directory + "/a", atMost: 7) == [1, 2, 3, 0, 0, 0, 0])
      #expect(try files.end(of: directory + "/a", count: 5) == [3, 0, 0, 0, 0])
      #expect(try files.end(of: directory + "/a", count: 50).count == 7)
      let other = try files.createTemporary(prefix: directory + "/tmp-", size: 1)
      #expect(other != temporary)
      try files.rename(other, to: directory + "/a")
      #expect(
        try files.list(directory).map { [$0.name, "\($0.size)", "\($0.isRegular)"] } == [["a", "1", "true"]])
      try files.remove(directory + "/a")
      #expect(try files.list(directory).isEmpty)
    }
  }

  @Test func saysWhatFailed() throws {
    try onBoth { files, directory in
      #expect(kind { _ = try files.list(directory) } == .notFound)
      #expect(kind { _ = try files.createTemporary(prefix: directory + "/t", size: 1) } == .notFound)
      #expect(kind { try files.withLock(directory + "/lock") { _, _ in } } == .notFound)
      try files.makeDirectory(at: directory)
      try files.makeDirectory(at: directory + "/sub")
      #expect(kind { _ = try files.use(directory + "/none", atMost: 1) } == .notFound)
      #expect(kind { _ = try files.end(of: directory + "/none", count: 1) } == .notFound)
      #expect(kind { try files.write([[1]], to: directory + "/none") } == .notFound)
      #expect(kind { try files.rename(directory + "/none", to: directory + "/a") } == .notFound)
      #expect(kind { try files.remove(directory + "/none") } == .notFound)
      #expect(kind { _ = try files.use(directory + "/sub", atMost: 9_999) } == .notAFile)
      let file = try files.createTemporary(prefix: directory + "/t", size: 5)
      #expect(kind { _ = try files.use(file, atMost: 4) } == .tooLarge)
      #expect(kind { try files.rename(file, to: directory + "/sub") } == .notAFile)
      try files.remove(directory + "/sub")
    }
  }

  @Test func orderOfUseShowsInTheAges() throws {
    try onBoth { files, directory in
      try files.makeDirectory(at: directory)
      var paths: [String] = []
      for _ in 0..<20 {
        paths.append(try files.createTemporary(prefix: directory + "/t", size: 1))
        try files.write([[1]], to: paths[paths.count - 1])
      }
      _ = try files.use(paths[0], atMost: 1)
      _ = try files.end(of: paths[1], count: 1)
      let byAge = try files.list(directory).sorted { $0.age > $1.age }.map { directory + "/" + $0.name }
      #expect(byAge == Array(paths[1...]) + [paths[0]])
    }
  }

  @Test func theLockKeepsContentsAndErrors() throws {
    try onBoth { files, directory in
      try files.makeDirectory(at: directory)
      let path = directory + "/lock"
      for (before, after) in [([], [1, 2, 3]), ([1, 2, 3], [4]), ([4], [])] as [([UInt8], [UInt8])] {
        try files.withLock(path) { contents, replace throws(FileSystemError) in
          #expect(contents == before)
          try replace(after)
        }
      }
      let error = FileSystemError(.full, operation: "try", path: path)
      #expect(throws: error) {
        try files.withLock(path) { _, _ throws(FileSystemError) in throw error }
      }
      try files.withLock(path) { contents, _ in #expect(contents.isEmpty) }
    }
  }
}
