internal import Cellophane
internal import Foundation
internal import Testing

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
