import Cellophane
import CellophaneAVIF
import CellophaneGIF
import CellophaneWebP
import Foundation
import Synchronization

/// The program `decoding-times`. It reads the same commands as `Decoding/baseline.c` and decodes with
/// Cellophane.
@main
struct DecodingTimes {
  static let decoder = ImageDecoder(codecs: [.png, .jpeg, .webP, .gif, .avif])

  static func main() async throws {
    var files: [[UInt8]] = []
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { throw Misunderstood(line: line) }
      switch words[0] {
      case "load":
        files.append([UInt8](try Data(contentsOf: URL(filePath: words[1]))))
        print("ok")
      default:
        print(try await answer(words[0], words[1].split(separator: " ").map(String.init), files))
      }
      fflush(nil)
    }
  }

  static func answer(_ command: String, _ words: [String], _ files: [[UInt8]]) async throws -> String {
    let numbers = words.dropFirst().map { Int($0) ?? 0 }
    switch (command, words.count) {
    case ("run", 4):
      let (cpu, wall) = try await run(
        options(words[0]), files[numbers[0]..<numbers[1]], tasks: numbers[2])
      return "\(cpu) \(wall)"
    case ("save", 3):
      let image = try decoder.decode(files[numbers[0]], options: options(words[0]))
      try Data(image.pixels).write(to: URL(filePath: words[2]))
      return "\(image.width) \(image.height)"
    case ("peak", 2):
      // Resets the peak that VmHWM reports.
      try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
      let before = try memory("VmRSS:")
      _ = try decoder.decode(files[numbers[0]], options: options(words[0]))
      return try "\(memory("VmHWM:") - before)"
    default:
      throw Misunderstood(line: "\(command) \(words)")
    }
  }

  /// Returns the options for `whole`, or for a length of the longer side.
  static func options(_ operation: String) -> ImageOptions {
    ImageOptions(targetSize: Int(operation).map { PixelSize(width: $0, height: $0) })
  }

  /// Decodes each file once, on the calling thread or in `tasks` concurrent tasks as a loader does.
  static func run(
    _ options: ImageOptions, _ files: ArraySlice<[UInt8]>, tasks: Int
  ) async throws -> (cpu: Double, wall: Double) {
    let (cpu, wall) = (seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC))
    if tasks == 1 {
      for file in files { _ = try decoder.decode(file, options: options) }
    } else {
      let queue = Queue(files)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<tasks {
          group.addTask {
            while let file = queue.next() { _ = try decoder.decode(file, options: options) }
          }
        }
        try await group.waitForAll()
      }
    }
    return (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall)
  }

  /// The files that are not yet assigned to a task.
  final class Queue: Sendable {
    private let rest: Mutex<ArraySlice<[UInt8]>>

    init(_ files: ArraySlice<[UInt8]>) { rest = Mutex(files) }

    func next() -> [UInt8]? { rest.withLock { $0.popFirst() } }
  }

  static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns a value of `/proc/self/status` in bytes.
  static func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { throw Misunderstood(line: status) }
    return kilobytes * 1024
  }

  struct Misunderstood: Error { let line: String }
}
