internal import Cellophane
internal import Foundation

/// A temporary directory in which the built tool runs, with a separate home and cache. It is removed with this object.
final class Room: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "cellophane-tool-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of `name` in this directory.
  func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Writes lines to a file and returns its path.
  @discardableResult
  func write(lines: [String], as name: String) throws -> String {
    try write(Array(lines.joined(separator: "\n").utf8), as: name)
  }

  func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }

  /// Runs the tool with `arguments` and waits for its end.
  func run(_ arguments: String..., input: [UInt8] = []) async throws -> Ended {
    try await run(arguments, input: input)
  }

  /// Runs the tool with `arguments` and waits for its end.
  func run(_ arguments: [String], input: [UInt8] = []) async throws -> Ended {
    try await start(arguments, input: input).end()
  }

  /// Runs a shell command in which `cellophane` is the tool.
  func shell(_ command: String) async throws -> Ended { try await begin(command).end() }

  /// Starts a shell command in which `cellophane` is the tool.
  func begin(_ command: String) throws -> Child {
    let input = try FileHandle(forReadingFrom: URL(filePath: write([], as: UUID().uuidString)))
    return try Child(["-c", command], of: URL(filePath: "/bin/sh"), home: path, input: input)
  }

  /// Starts the tool with `arguments`.
  func start(_ arguments: [String], input: [UInt8] = []) throws -> Child {
    let input = try FileHandle(forReadingFrom: URL(filePath: write(input, as: UUID().uuidString)))
    return try Child(arguments, home: path, input: input)
  }

  /// Starts the tool with `arguments` and a pipe to its standard input.
  ///
  /// - Parameter blocks: False for non-blocking pipes, which some programs pass to their child processes.
  func startWithPipe(_ arguments: [String], blocks: Bool = true) throws -> (child: Child, input: FileHandle) {
    let pipe = Pipe()
    let child = try Child(arguments, home: path, input: pipe.fileHandleForReading, blocks: blocks)
    try pipe.fileHandleForReading.close()
    return (child, pipe.fileHandleForWriting)
  }
}

/// The exit code and the output of a finished run of the tool.
struct Ended: CustomStringConvertible {
  /// The exit code; for a process that a signal killed, minus the number of the signal.
  let exit: Int32
  let output: [UInt8]
  let errors: String

  var text: String { String(decoding: output, as: UTF8.self) }
  /// The lines of standard error without the progress of a batch, which appears every ten seconds on a busy machine.
  var errorLines: [Substring] {
    errors.split(separator: "\n").filter { !($0.first?.isNumber == true && $0.contains(" records")) }
  }
  var description: String { "exit \(exit)\n\(text.prefix(2_000))\n\(errors.prefix(2_000))" }

  /// Returns the JSON object on standard output.
  func json() throws -> [String: Any] { try object(output) }

  /// Returns the kind of the error object on standard output.
  func errorKind() throws -> String? { (try json()["error"] as? [String: Any])?["kind"] as? String }
}

/// Returns the JSON object in `bytes`.
func object(_ bytes: [UInt8]) throws -> [String: Any] {
  try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
}

/// Returns the JSON objects in `bytes`, one per line.
func objects(lines bytes: [UInt8]) throws -> [[String: Any]] {
  try bytes.split(separator: UInt8(ascii: "\n")).map { try object(Array($0)) }
}

/// A running process of the tool.
struct Child {
  private let process = Process()
  private let exits: AsyncStream<Int32>
  private let output = PipeReader()
  private let errors = PipeReader()

  fileprivate init(
    _ arguments: [String], of program: URL = executable, home: String, input: FileHandle, blocks: Bool = true
  ) throws {
    if !blocks {
      for end in [input, output.pipe.fileHandleForWriting] {
        _ = fcntl(end.fileDescriptor, F_SETFL, fcntl(end.fileDescriptor, F_GETFL) | O_NONBLOCK)
      }
    }
    let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
    self.exits = exits
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: home)
    process.environment = [
      "HOME": home, "XDG_CACHE_HOME": home + "/cache", "TMPDIR": home, "no_proxy": "*",
      "PATH": Self.executable.deletingLastPathComponent().path + ":/usr/bin:/bin",
    ]
    process.standardInput = input
    process.standardOutput = output.pipe
    process.standardError = errors.pipe
    process.terminationHandler = { process in
      let status = process.terminationStatus
      exit.yield(process.terminationReason == .exit ? status : -status)
      exit.finish()
    }
    try process.run()
  }

  /// Sends SIGINT, as Ctrl-C does.
  func interrupt() { process.interrupt() }

  /// Sends SIGKILL, which a process cannot catch.
  func kill() { send(SIGKILL) }

  func send(_ signal: Int32) { _ = Foundation.kill(process.processIdentifier, signal) }

  #if os(Linux)
    /// The peak memory of the process so far, in bytes; nil once it has ended.
    var peakMemory: Int? {
      let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map {
        $0 << 10
      }
    }
  #endif

  /// Waits until standard output has `count` lines, or ends.
  func lines(_ count: Int) async {
    for await lines in output.lines where lines >= count { return }
  }

  /// Returns the first line of standard output when it is complete.
  func firstLine() async -> String { await output.firstLine.value }

  /// Waits for the end of the process.
  func end() async throws -> Ended {
    var exit: Int32 = .min
    for await status in exits { exit = status }
    return Ended(
      exit: exit, output: await output.allBytes,
      errors: String(decoding: await errors.allBytes, as: UTF8.self))
  }

  /// The tool, which is next to the tests in the build folder.
  fileprivate static var executable: URL {
    #if os(macOS)
      let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    #else
      let tests = CommandLine.arguments.first.map { URL(filePath: $0) }
    #endif
    return (tests ?? URL(filePath: ".")).deletingLastPathComponent().appending(path: "cellophane")
  }
}

/// A pipe with a thread that reads it, because a full pipe would block the writer.
private final class PipeReader: Sendable {
  let pipe = Pipe()
  /// The number of lines so far, each time that it grows.
  let lines: AsyncStream<Int>
  /// The first line; empty if it was never complete.
  let firstLine = OneShot<String>()
  private let end = OneShot<[UInt8]>()

  init() {
    let (lines, counted) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    self.lines = lines
    // A thread, because reading blocks.
    Thread.detachNewThread { [pipe, firstLine, end] in
      var bytes: [UInt8] = []
      var count = 0
      while true {
        let more = pipe.fileHandleForReading.availableData
        if more.isEmpty { break }
        bytes += more
        let ended = more.count { $0 == UInt8(ascii: "\n") }
        guard ended > 0 else { continue }
        if count == 0 {
          firstLine.settle(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
        count += ended
        counted.yield(count)
      }
      counted.finish()
      firstLine.settle("")
      end.settle(bytes)
    }
  }

  /// All bytes, once the writer has closed its end.
  var allBytes: [UInt8] { get async { await end.value } }
}
