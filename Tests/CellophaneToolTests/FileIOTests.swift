internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneTool

@Suite("Reading and writing of files", .timeLimit(.minutes(5)))
struct FileIOTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("a file keeps its mode, a new file has the mode of the mask, and a link stays a link")
  func filesAndLinks() async throws {
    let room = try Room()
    let image = try testImage(5, 3)
    try room.write(try image.encoded(as: .png), as: "a.png")
    try room.write([1], as: "private")
    let ended = try await room.shell(
      """
      umask 027; chmod 600 private; ln -s private link; ln -s later dangling
      for name in link new dangling; do cellophane decode a.png --rgba $name || exit 1; done
      """)
    #expect(ended.exit == 0, "\(ended)")
    for (name, bits) in [("private", 0o600), ("new", 0o640), ("later", 0o640)] {
      #expect(try room.bytes(of: name) == image.pixels && mode(room.path(name)) == bits, "\(name)")
    }
    for (link, target) in [("link", "private"), ("dangling", "later")] {
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: room.path(link)) == target)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: room.path)
    #expect(!names.contains { $0.hasPrefix(".cellophane-") }, "\(names)")
  }

  @Test("a directory with a hidden file is not empty")
  func emptyDirectories() throws {
    let room = try Room()
    let files = FileManager.default
    try files.createDirectory(atPath: room.path("a/b"), withIntermediateDirectories: true)
    try room.write([1], as: "file")
    #expect(Platform.isEmptyDirectory(room.path("a/b")) && !Platform.isEmptyDirectory(room.path("a")))
    #expect(!Platform.isEmptyDirectory(room.path("c")) && !Platform.isEmptyDirectory(room.path("file")))
    try room.write([1], as: "a/b/.hidden")
    #expect(!Platform.isEmptyDirectory(room.path("a/b")))
  }

  #if os(Linux)
    @Test("a new unnamed file replaces no existing file, folder or link")
    func unnamedFiles() throws {
      let room = try Room()
      func create(_ name: String) throws -> Bool {
        try FileIO.create(room.path(name), in: room.path, with: [1, 2, 3])
      }
      try room.write([9], as: "taken")
      let files = FileManager.default
      try files.createDirectory(atPath: room.path("folder"), withIntermediateDirectories: false)
      try files.createSymbolicLink(atPath: room.path("dangling"), withDestinationPath: "nothing")
      #expect(try !create("taken") && !create("folder") && !create("dangling") && !create("missing/file"))
      #expect(try !FileIO.create(room.path("a"), in: room.path("missing"), with: [1]))
      #expect(try create("new"))
      #expect(try room.bytes(of: "taken") == [9] && room.bytes(of: "new") == [1, 2, 3])
      try FileIO.replace(room.path("named"), with: [4], by: room.path("temporary"))
      #expect(try mode(room.path("new")) == mode(room.path("named")))
      let names = try files.contentsOfDirectory(atPath: room.path)
      #expect(Set(names) == ["taken", "folder", "dangling", "new", "named"])
    }
  #endif

  @Test("output goes into a pipe or a device without replacing it")
  func pipesAndDevices() async throws {
    let room = try Room()
    let image = try testImage(5, 3)
    try room.write(try image.encoded(as: .png), as: "a.png")
    let piped = try await room.shell(
      "mkfifo pipe; cellophane decode a.png --rgba pipe >news & cat pipe; wait $!; test -p pipe")
    #expect(piped.exit == 0 && piped.output == image.pixels, "\(piped)")
    // Only root can create a device; a link to one of the system requires no permission.
    let device = try await room.shell(
      "ln -s /dev/null null; cellophane decode a.png --rgba null && test -c null && test -L null")
    #expect(device.exit == 0, "\(device)")
  }

  @Test("a file that is too large is refused by its size, and a pipe is read like a file")
  func reading() async throws {
    let room = try Room()
    try room.write(try testImage(5, 3).encoded(as: .png), as: "a.png")
    let sparse = try await room.shell(
      "ulimit -v 2000000; dd if=/dev/null of=big bs=1 seek=3000000000 2>/dev/null; cellophane decode big")
    #expect(sparse.exit == 2 && sparse.errors.hasPrefix("cellophane: body-too-large: "), "\(sparse)")
    let piped = try await room.shell(
      "cat a.png | cellophane decode /dev/stdin; mkfifo pipe; cat a.png >pipe & cellophane decode pipe")
    #expect(piped.exit == 0 && piped.text.split(separator: "\n").count == 2, "\(piped)")
  }
}
