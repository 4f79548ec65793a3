internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneBatch

@Suite("Compressed lists")
struct ListBytesTests {
  private static let text = (1...20_000).map { "http://host/\($0 * 7_919 % 9_973)\n" }.joined()

  /// Returns the output of a shell command with `text` as its standard input; nil if a program is missing.
  private func output(_ command: String, of text: String) throws -> [UInt8]? {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder + "/in"))
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "cd \(folder); (\(command)) <in >out"]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? Array(try Data(contentsOf: URL(filePath: folder + "/out"))) : nil
  }

  /// Returns all bytes of a list, which arrives in pieces through a pipe.
  private func read(_ bytes: [UInt8], inPiecesOf size: Int) throws -> [UInt8] {
    let pipe = Pipe()
    Thread.detachNewThread {
      for piece in bytes.pieces(of: size) { pipe.fileHandleForWriting.write(Data(piece)) }
      try? pipe.fileHandleForWriting.close()
    }
    let list = ListBytes(of: pipe.fileHandleForReading.fileDescriptor)
    var read: [UInt8] = []
    while true {
      let more = try list.read()
      if more.isEmpty { return read }
      read += more
    }
  }

  @Test(arguments: [
    "cat", "gzip -c", "gzip -1 -c", "(head -c 1000 | gzip -c; gzip -c)", "(gzip -c; head -c 512 /dev/zero)",
    "zstd -c", "zstd -19 -c --check", "(head -c 1000 | zstd -c; zstd -c)", "zstd -c --no-check",
    "(printf 'P*M\\030\\004\\000\\000\\000skip'; zstd -c)",
    "(zstd -c; printf '_*M\\030\\000\\000\\000\\000')",
    "zstd -c --long=27", "pzstd -c",
  ])
  func `a list is read as it is`(command: String) throws {
    guard let bytes = try output(command, of: Self.text) else { return }
    for size in [1, 1_000, 1 << 20] where size > 1 || bytes.count < 100_000 {
      #expect(try read(bytes, inPiecesOf: size) == Array(Self.text.utf8), "\(size)")
    }
  }

  @Test(arguments: ["gzip -c", "zstd -c"])
  func `damaged and incomplete data is an error after the lines before it`(command: String) throws {
    guard let bytes = try output(command, of: Self.text) else { return }
    var damaged = bytes
    damaged[bytes.count / 2] ^= 0x55
    for (bytes, reason) in [
      (Array(bytes.dropLast(1)), "ends early"), (Array(bytes.prefix(bytes.count / 2)), "ends early"),
      (bytes + Array("more".utf8), "damaged"), (damaged, "damaged"),
    ] {
      let error = #expect(throws: LoadError.self) { try read(bytes, inPiecesOf: 1 << 20) }
      #expect(error?.kind == .io && error?.message.contains(reason) == true, "\(error as Any)")
    }
  }

  @Test func `data that needs too much memory is an error with the command for it`() throws {
    guard let bytes = try output("zstd -c --long=28", of: Self.text) else { return }
    let error = #expect(throws: LoadError.self) { try read(bytes, inPiecesOf: 1 << 20) }
    #expect(error?.message.contains("zstd -d --long=31 LIST") == true, "\(error as Any)")
  }

  @Test(arguments: ["gzip -9 -c", "zstd -19 -c"])
  func `highly compressed data is decompressed in parts`(command: String) throws {
    guard let bytes = try output("head -c 100000000 /dev/zero | \(command)", of: "") else { return }
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(bytes.prefix(60_000)))
    let list = ListBytes(of: pipe.fileHandleForReading.fileDescriptor)
    #expect(try list.read().count <= 16 << 20)
  }
}
