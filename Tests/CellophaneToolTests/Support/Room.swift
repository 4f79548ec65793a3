internal import Cellophane
internal import Foundation

/// A temporary directory in which the built tool runs, with a home and a cache of its own. Removed with it.
final class Room: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "cellophane-tool-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in here.
  func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Writes a file of lines and returns its path.
  @discardableResult
  func write(lines: [String], as name: String) throws -> String {
    try write(Array(lines.joined(separator: "\n").utf8), as: name)
  }

  func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }

  /// Runs the tool with `arguments` to its end.
  func run(_ arguments: String..., input: [UInt8] = []) async throws -> Ended {
    try await run(arguments, input: input)
  }

  /// Runs the tool with `arguments` to its end.
  func run(_ arguments: [String], input: [UInt8] = []) async throws -> Ended {
    try await start(arguments, input: input).end()
  }

  /// Runs a line of shell in which `cellophane` is the tool.
  func shell(_ command: String) async throws -> Ended { try await begin(command).end() }

  /// Starts a line of shell in which `cellophane` is the tool.
  func begin(_ command: String) throws -> Child {
    let input = try FileHandle(forReadingFrom: URL(filePath: write([], as: UUID().uuidString)))
    return try Child(["-c", command], of: URL(filePath: "/bin/sh"), home: path, input: input)
  }

  /// Starts the tool with `arguments`.
  func start(_ arguments: [String], input: [UInt8] = []) throws -> Child {
    let input = try FileHandle(forReadingFrom: URL(filePath: write(input, as: UUID().uuidString)))
    return try Child(arguments, home: path, input: input)
  }

  /// Starts the tool with `arguments`, and a pipe to talk to it.
  ///
  /// - Parameter waits: False for pipes that do not wait, as some who start programs leave them.
  func converse(_ arguments: [String], waits: Bool = true) throws -> (child: Child, input: FileHandle) {
    let pipe = Pipe()
    let child = try Child(arguments, home: path, input: pipe.fileHandleForReading, waits: waits)
    try pipe.fileHandleForReading.close()
    return (child, pipe.fileHandleForWriting)
  }
}

/// How a run of the tool ended.
struct Ended: CustomStringConvertible {
  /// The exit code; of a process that a signal killed, minus the signal's number.
  let exit: Int32
  let output: [UInt8]
  let errors: String

  var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error but for how far a batch is, which it tells every ten seconds, on a machine with much else to do.
  var errorLines: [Substring] {
    errors.split(separator: "\n").filter { !($0.first?.isNumber == true && $0.contains(" records")) }
  }
  var description: String { "exit \(exit)\n\(text.prefix(2_000))\n\(errors.prefix(2_000))" }

  /// The one JSON object on standard output.
  func json() throws -> [String: Any] { try object(output) }

  /// The kind of the error object on standard output, and nothing but it.
  func errorKind() throws -> String? { (try json()["error"] as? [String: Any])?["kind"] as? String }
}

/// The JSON object in `bytes`.
func object(_ bytes: [UInt8]) throws -> [String: Any] {
  try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
}

/// The JSON objects in `bytes`, one a line.
func objects(lines bytes: [UInt8]) throws -> [[String: Any]] {
  try bytes.split(separator: UInt8(ascii: "\n")).map { try object(Array($0)) }
}

/// The tool, running.
struct Child {
  private let process = Process()
  private let exits: AsyncStream<Int32>
  private let output = Drain()
  private let errors = Drain()

  fileprivate init(
    _ arguments: [String], of program: URL = executable, home: String, input: FileHandle, waits: Bool = true
  ) throws {
    if !waits {
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

  /// What Ctrl-C does.
  func interrupt() { process.interrupt() }

  /// What nothing can catch.
  func kill() { send(SIGKILL) }

  func send(_ signal: Int32) { _ = Foundation.kill(process.processIdentifier, signal) }

  #if os(Linux)
    /// The most memory that it has had so far, in bytes; nil once it has ended.
    var peakMemory: Int? {
      let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map {
        $0 << 10
      }
    }
  #endif

  /// Waits until standard output has so many lines, or ends.
  func lines(_ count: Int) async {
    for await lines in output.lines where lines >= count { return }
  }

  /// The first line of standard output, as soon as it is there.
  func firstLine() async -> String { await output.firstLine.value }

  /// Waits for the end.
  func end() async throws -> Ended {
    var exit: Int32 = .min
    for await status in exits { exit = status }
    return Ended(
      exit: exit, output: await output.whole, errors: String(decoding: await errors.whole, as: UTF8.self))
  }

  /// The tool beside the tests in the build folder.
  fileprivate static var executable: URL {
    #if os(macOS)
      let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    #else
      let tests = CommandLine.arguments.first.map { URL(filePath: $0) }
    #endif
    return (tests ?? URL(filePath: ".")).deletingLastPathComponent().appending(path: "cellophane")
  }
}

/// Reads a pipe while it is written to: a full one would stop the writer.
private final class Drain: Sendable {
  let pipe = Pipe()
  /// How many lines came so far, each time that there are more.
  let lines: AsyncStream<Int>
  /// The first of them; empty when it never ended.
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

  /// All that came, once the writer has closed its end.
  var whole: [UInt8] { get async { await end.value } }
}
