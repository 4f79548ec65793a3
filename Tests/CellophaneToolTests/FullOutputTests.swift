internal import Cellophane
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("Results that cannot be written", .timeLimit(.minutes(1)))
struct FullOutputTests {
  /// Commands that print results, given the base of an origin.
  private func commands(_ base: String) -> [String] {
    [
      "fetch \(base)/9.png", "fetch \(base)/9.png -o -", "fetch \(base)/9.png --json",
      "prefetch --json list", "prefetch list", "prefetch --jsonl - list", "decode 9.png --rgba -",
      "decode 9.png", "cache stats", "cache list --json",
    ]
  }

  private func room(_ origin: TestOrigin) throws -> Room {
    let room = try Room()
    try room.write(lines: [origin.url("/9.png")], as: "list")
    try room.write(try picture(9, 8).encoded(as: .png), as: "9.png")
    return room
  }

  @Test("A full disk is an error", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func full() async throws {
    let origin = try TestOrigin.gallery()
    let room = try room(origin)
    for command in commands(origin.base) {
      let ended = try await room.shell("cellophane \(command) >/dev/full")
      #expect(ended.exit == (command.hasPrefix("decode 9.png --rgba") ? 2 : 1), "\(command): \(ended)")
      #expect(ended.errors.contains("the disk is full"), "\(command): \(ended)")
    }
  }

  @Test("Closed standard output is an error, and no file is taken for it")
  func closed() async throws {
    let origin = try TestOrigin.gallery()
    let room = try room(origin)
    for command in commands(origin.base) {
      let ended = try await room.shell("cellophane \(command) >&-")
      #expect(ended.exit == (command.hasPrefix("decode 9.png --rgba") ? 2 : 1), "\(command): \(ended)")
      #expect(ended.errors.contains("cellophane: io: "), "\(command): \(ended)")
    }
  }

  @Test("A reader that has gone ends the tool without a word")
  func gone() async throws {
    let origin = try TestOrigin.gallery()
    let room = try room(origin)
    // The right side closes the pipe before it lets the left side begin.
    for (before, exits) in [(":", ["141\n", "1\n"]), ("trap '' PIPE", ["1\n"])] {
      let ended = try await room.shell(
        """
        \(before); rm -f go; mkfifo go
        { read go <go; cellophane decode 9.png; echo $? >&2; } | { exec <&-; echo >go; }
        """)
      #expect(exits.contains(ended.errors), "\(before): \(ended)")
    }
  }
}
