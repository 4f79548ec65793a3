internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@Suite("Output that cannot be written", .timeLimit(.minutes(5)))
struct OutputFailureTests {
  /// Returns commands that print results of the origin with the URL `base`.
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
    try room.write(try testImage(9, 8).encoded(as: .png), as: "9.png")
    return room
  }

  @Test("a full disk is an error", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func full() async throws {
    let origin = try TestOrigin.gallery()
    let room = try room(origin)
    for command in commands(origin.base) {
      let ended = try await room.shell("cellophane \(command) >/dev/full")
      #expect(ended.exit == (command.hasPrefix("decode 9.png --rgba") ? 2 : 1), "\(command): \(ended)")
      #expect(ended.errors.contains("the disk is full"), "\(command): \(ended)")
    }
  }

  @Test("simulate refuses a file that cannot be written before the run, and creates no other file")
  func unwritable() async throws {
    let room = try Room()
    try room.write(lines: ["old"], as: "old")
    for (option, name, reason) in [
      ("--json", "none/a", "the directory none does not exist; create it"),
      ("--html", ".", "it is a directory"),
      ("--trace", "old/a", ""), ("--filmstrip", "none/", "the directory none does not exist"),
      ("--export-requests", "none/a.csv", "the directory none does not exist"),
    ] {
      let other = option == "--html" ? "--json" : "--html"
      for file in ["old", "new"] {
        let ended = try await room.run("simulate", "--duration", "24h", option, name, other, file)
        #expect(ended.exit == 1 && ended.errorLines.count == 1, "\(ended)")
        #expect(ended.errors.contains(": io: cannot write \(name): \(reason)"), "\(ended)")
      }
    }
    #expect(try room.bytes(of: "old") == Array("old".utf8))
    #expect(!FileManager.default.fileExists(atPath: room.path("new")))
  }

  /// True if a process can mount private file systems.
  private static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "unshare -rm sh -c 'mount -t tmpfs none /mnt && mount -o remount,size=1m /mnt' 2>/dev/null",
    ]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// The arguments limit blocks and file names, for files, files in folders, and archives.
  @Test(
    "--retry-failed writes the files of a full disk once it has space",
    .enabled(if: canMount),
    arguments: ["size=64k", "nr_inodes=12"],
    ["--names {index}", "--names {index}/body", "--webdataset --per-shard 5"])
  func retryWithSpace(limit: String, form: String) async throws {
    let origin = try TestOrigin.gallery()
    let room = try Room()
    try room.write(lines: (1...60).map { origin.url("/8.png?\($0)") }, as: "list")
    let options = "--no-cache --quiet -j 4 --output out \(form)"
    let ended = try await room.shell(
      """
      mkdir out; unshare -rm sh -c '
      mount -t tmpfs -o \(limit) none out
      cellophane prefetch list --jsonl first \(options); echo $?
      mount -o remount,size=8m,nr_inodes=1k out
      cellophane prefetch --retry-failed first --jsonl second \(options); echo $?
      case "\(form)" in --w*) cat out/*.jsonl;; *) find out -type f -not -path "*/.*";; esac | wc -l'
      """)
    #expect(ended.text == "2\n0\n60\n", "\(ended)")
    let first = try objects(lines: try room.bytes(of: "first"))
    let second = try objects(lines: try room.bytes(of: "second"))
    let failures = first.compactMap { $0["error"] as? [String: Any] }
    #expect(first.count == 60 && failures.count == second.count, "\(ended)")
    #expect(failures.allSatisfy { $0["retryable"] as? Bool == true && $0["stage"] as? String == "output" })
    #expect(second.allSatisfy { $0["outcome"] as? String == "fetched" }, "\(second)")
  }

  @Test("a disk that becomes full ends prefetch and leaves complete lines")
  func filling() async throws {
    let origin = try TestOrigin.gallery()
    let room = try Room()
    try room.write(lines: (1...500).map { origin.url("/8.png?\($0)") }, as: "list")
    // Eight blocks of 512 or 1 024 bytes. Without SIGXFSZ, writes fail as on a full disk.
    let ended = try await room.shell(
      "trap '' XFSZ; ulimit -f 8; cellophane prefetch list --no-cache --jsonl results -j 4")
    #expect(ended.exit == 1 && ended.errors.contains("cellophane: io: cannot write results: "), "\(ended)")
    let results = try room.bytes(of: "results")
    #expect(results.last == UInt8(ascii: "\n") && results.count > 2_000, "\(results.count)")
    #expect(try objects(lines: results).allSatisfy { $0["duration_ms"] != nil })
    #expect(origin.counters.requests < 100)
  }

  @Test("closed standard output is an error, and no other file receives the output")
  func closed() async throws {
    let origin = try TestOrigin.gallery()
    let room = try room(origin)
    for command in commands(origin.base) {
      let ended = try await room.shell("cellophane \(command) >&-")
      #expect(ended.exit == (command.hasPrefix("decode 9.png --rgba") ? 2 : 1), "\(command): \(ended)")
      #expect(ended.errors.contains("cellophane: io: "), "\(command): \(ended)")
    }
  }

  /// Returns the exit code and the messages of a command that prints to a pipe without a reader.
  private func unread(_ command: String, in room: Room) async throws -> String {
    // The right side closes the pipe before it lets the left side start.
    try await room.shell(
      """
      rm -f go; mkfifo go
      { read go <go; cellophane \(command); echo $? >&2; } | { exec <&-; echo >go; }
      """
    ).errors
  }

  @Test("a pipe without a reader ends the tool silently, and leaves no lease")
  func unreadPipe() async throws {
    let origin = try TestOrigin.gallery()
    let room = try room(origin)
    for command in [
      "decode 9.png", "decode 9.png --rgba -", "cache stats --json", "fetch \(origin.base)/9.png -o -",
      "fetch \(origin.base)/9.png --json",
    ] {
      #expect(try await unread(command, in: room) == "1\n", "\(command)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: room.path("cache/cellophane"))
    #expect(!names.contains { $0.hasPrefix("cellophane-lease-") }, "\(names)")
  }

  @Test("prefetch stops if its results have no reader")
  func prefetchUnread() async throws {
    let origin = try TestOrigin.gallery()
    let room = try room(origin)
    try room.write(lines: (1...200).map { origin.url("/\($0).png") } + [origin.url("/hangs")], as: "list")
    #expect(try await unread("prefetch list -j 2 --jsonl -", in: room) == "1\n")
    #expect(origin.counters.requests < 20)
    let names = try FileManager.default.contentsOfDirectory(atPath: room.path("cache/cellophane"))
    #expect(!names.contains { $0.hasPrefix("cellophane-lease-") }, "\(names)")
  }
}
