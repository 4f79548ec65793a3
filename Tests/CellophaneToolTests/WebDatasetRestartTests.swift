internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

/// Runs that write archives, are interrupted or killed at random times, and restarted until one ends by itself.
@Suite("Archives for WebDataset after restarts", .timeLimit(.minutes(5)))
struct WebDatasetRestartTests {
  /// An image and the fields of its result that do not depend on the run.
  private struct Sample: Equatable {
    let image: [UInt8]
    let fields: [String: String]
  }

  private static let lines = 60
  /// The number of lines with the URL of an earlier one.
  private static let duplicates = 40

  private func list(_ origin: TestOrigin) -> [String] {
    let good = (1...Self.lines).map { origin.url("/\($0).\($0.isMultiple(of: 2) ? "png" : "jpg")") }
    let bad = ["no url", origin.url("/nothing"), "http://127.0.0.1:0/"]
    return ["url,caption"]
      + (zip(good, good[20...]).flatMap { [$0, $1 + "#again"] } + bad + good[40...]).enumerated()
      .map { "\($0.element),caption \($0.offset)" }
  }

  private func run(_ options: [String]) -> [String] {
    [
      "prefetch", "list.csv", "-o", "set", "--webdataset", "--per-shard", "7", "--quiet", "--jsonl", "-",
      "-j", "3",
    ] + options
  }

  /// Returns the outcomes by number of the record: `present`, or the reason of the failure.
  private func outcomes(_ ended: Ended) throws -> [Int: String] {
    try objects(lines: ended.output).reduce(into: [:]) { outcomes, result in
      let error = result["error"] as? [String: Any]
      let outcome = result["outcome"] as? String ?? ""
      let isPresent = ["fetched", "fresh", "revalidated", "duplicate"].contains(outcome)
      outcomes[result["index"] as? Int ?? 0] =
        isPresent ? "present" : error.map { "\($0["kind"] ?? "") \($0["stage"] ?? "")" } ?? outcome
    }
  }

  /// Returns the samples of all archives by their keys. Expects that every archive is complete and has an index,
  /// and that no key occurs twice.
  private func samples(of room: Room, _ context: String) throws -> [String: Sample] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: room.path("set"))) ?? []
    var samples: [String: Sample] = [:]
    for archive in names where archive.hasSuffix(".tar") {
      let contents = try #require(files(ofTar: room.bytes(of: "set/" + archive)), "\(context): \(archive)")
      let index = try objects(lines: room.bytes(of: "set/\(archive.dropLast(4)).jsonl"))
      #expect(index.count * 2 == contents.count && index.count <= 7, "\(context): \(archive)")
      for (entry, position) in zip(index, stride(from: 0, to: contents.count, by: 2)) {
        let key = try #require(entry["key"] as? String)
        let result = try object(contents[position + 1].content)
        let fields = ["url", "contentHash", "width", "height", "fields", "index"].map {
          ($0, "\(result[$0] ?? "")")
        }
        #expect(
          contents[position].name.hasPrefix(key + ".") && contents[position + 1].name == key + ".json",
          "\(context)"
        )
        #expect(samples[key] == nil, "\(context): \(key) occurs twice")
        samples[key] = Sample(
          image: contents[position].content, fields: Dictionary(uniqueKeysWithValues: fields))
      }
    }
    return samples
  }

  @Test(
    "a run that is stopped and restarted has the samples of an undisturbed run",
    arguments: [
      (0, []), (1, ["--size", "5x5"]), (2, ["--no-cache"]), (3, ["--names", "{key}"]),
      (4, ["--names", "{host}/{name}-{index}", "--no-cache"]),
    ] as [(UInt64, [String])])
  func restarts(seed: UInt64, options: [String]) async throws {
    let origin = try TestOrigin.gallery()
    let undisturbed = try Room()
    try undisturbed.write(lines: list(origin), as: "list.csv")
    let whole = try await undisturbed.run(run(options))
    let expected = try (outcomes: outcomes(whole), samples: samples(of: undisturbed, "undisturbed"))
    // With {key}, the lines with one URL have one sample.
    let count = Self.lines + (options.contains("{key}") ? 0 : Self.duplicates)
    #expect(whole.exit == 2 && expected.samples.count == count, "\(whole)")

    let room = try Room()
    try room.write(lines: list(origin), as: "list.csv")
    var random = SplitMix64(seed: seed)
    for stop in 1...8 {
      let child = try room.start(run(options))
      await child.lines(Int.random(in: 0..<expected.outcomes.count, using: &random))
      let kills = Bool.random(using: &random)
      if kills { child.kill() } else { child.interrupt() }
      let ended = try await child.end()
      let context = "seed \(seed), stop \(stop), \(kills ? "killed" : "interrupted"): \(ended.exit)"
      // The process may have finished before the signal, or at that moment.
      #expect((kills ? [-9, 2] : [130, 2, -2]).contains(ended.exit), "\(context)")
      let (reported, found) = (try outcomes(ended), try samples(of: room, context))
      #expect(reported.allSatisfy { expected.outcomes[$0.key] == $0.value }, "\(context)")
      #expect(found.allSatisfy { expected.samples[$0.key] == $0.value }, "\(context)")
      // An interrupted run keeps its finished samples. With {key}, the lines with one URL have one sample.
      let samples = Set(
        reported.filter { $0.value == "present" }.keys.map { line in
          options.contains("{key}")
            ? list(origin)[line - 1].prefix { $0 != "#" && $0 != "," } : "\(line)"
        })
      if !kills { #expect(found.count >= samples.count, "\(context)") }
    }
    let last = try await room.run(run(options))
    #expect(try last.exit == 2 && outcomes(last) == expected.outcomes, "seed \(seed): \(last)")
    let end = try samples(of: room, "seed \(seed)")
    #expect(end == expected.samples, "seed \(seed): \(end.count) samples")
    let names = try FileManager.default.contentsOfDirectory(atPath: room.path("set"))
    #expect(!names.contains { $0.hasPrefix(".cellophane-shard-") }, "seed \(seed): \(names)")
  }

  @Test("Ctrl-C after the last result does not lose the last archive")
  func lateInterrupts() async throws {
    let origin = try TestOrigin.gallery()
    for round in 1...20 {
      let room = try Room()
      let lines = list(origin)
      try room.write(lines: lines, as: "list.csv")
      let child = try room.start(run(["--no-cache"]))
      await child.lines(lines.count - 1)
      child.interrupt()
      let ended = try await child.end()
      let samples = try samples(of: room, "round \(round)")
      #expect(samples.count == Self.lines + Self.duplicates, "round \(round): \(ended.exit)")
    }
  }
}
