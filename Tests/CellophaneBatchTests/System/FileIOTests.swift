internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneBatch

@Suite("New files and their errors")
struct FileIOTests {
  /// A temporary directory, which is removed with it.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    func write(_ bytes: [UInt8], as name: String) throws {
      try Data(bytes).write(to: URL(filePath: path(name)))
    }

    func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("a directory with a hidden file is not empty")
  func emptyDirectories() throws {
    let folder = try Folder()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("a/b"), withIntermediateDirectories: true)
    try folder.write([1], as: "file")
    #expect(Platform.isEmptyDirectory(folder.path("a/b")) && !Platform.isEmptyDirectory(folder.path("a")))
    #expect(!Platform.isEmptyDirectory(folder.path("c")) && !Platform.isEmptyDirectory(folder.path("file")))
    try folder.write([1], as: "a/b/.hidden")
    #expect(!Platform.isEmptyDirectory(folder.path("a/b")))
  }

  #if os(Linux)
    @Test("a new unnamed file replaces no existing file, folder or link")
    func unnamedFiles() throws {
      let folder = try Folder()
      func create(_ name: String) throws -> Bool {
        try FileIO.create(folder.path(name), in: folder.path, with: [1, 2, 3])
      }
      try folder.write([9], as: "taken")
      let files = FileManager.default
      try files.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
      try files.createSymbolicLink(atPath: folder.path("dangling"), withDestinationPath: "nothing")
      #expect(try !create("taken") && !create("folder") && !create("dangling") && !create("missing/file"))
      #expect(try !FileIO.create(folder.path("a"), in: folder.path("missing"), with: [1]))
      #expect(try create("new"))
      #expect(try folder.bytes(of: "taken") == [9] && folder.bytes(of: "new") == [1, 2, 3])
      try FileIO.replace(folder.path("named"), with: [4], by: folder.path("temporary"))
      #expect(try mode(folder.path("new")) == mode(folder.path("named")))
      let names = try files.contentsOfDirectory(atPath: folder.path)
      #expect(Set(names) == ["taken", "folder", "dangling", "new", "named"])
    }
  #endif

  @Test("a full disk is retryable, and a missing permission is not")
  func retryable() {
    #expect(LoadError.cannotWrite("f", because: ENOSPC).isRetryable)
    #expect(LoadError.cannotWrite("f", because: EDQUOT).isRetryable)
    #expect(!LoadError.cannotWrite("f", because: EACCES).isRetryable)
  }
}
