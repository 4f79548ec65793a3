internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

/// A second run with another list or other options, into the output of the first.
@Suite("Edited lists", .timeLimit(.minutes(5)))
struct PrefetchEditedListTests {
  private let room: Room
  private let origin: TestOrigin

  init() throws {
    room = try Room()
    origin = try TestOrigin.gallery()
  }

  private func url(_ width: Int) -> String {
    origin.url("/\(width).\(width.isMultiple(of: 2) ? "png" : "jpg")")
  }

  /// Runs a list of images with these widths, and returns the results by width. `text` is another column.
  private func run(
    _ widths: [Int], text: String = "", _ options: [String]
  ) async throws -> [Int: [String: Any]] {
    try room.write(
      lines: ["url,width,text"] + widths.map { "\(url($0)),\($0),\(text)\($0)" }, as: "list.csv")
    let ended = try await room.run(
      ["prefetch", "list.csv", "-o", "out", "--no-cache", "--quiet", "--jsonl", "-"] + options)
    return try objects(lines: ended.output).reduce(into: [:]) { results, result in
      let fields = result["fields"] as? [String: String]
      results[Int(fields?["width"] ?? "") ?? 0] = result
    }
  }

  private static let edits: [[Int]] = [
    // A new first line, a removed line, another order, another URL, another format, and an appended line.
    [9, 10, 11, 12], [11, 12], [12, 11, 10], [10, 21, 12], [10, 22, 12], [10, 11, 12, 13],
    [13, 10, 11, 12, 14],
  ]

  @Test(
    "each line has its own image after each edit",
    arguments: [
      "{index:8}", "{host}/{name}-{index}", "{key}", "{hash:2}/{hash}", "{name}", "{width}-{index}",
    ])
  func edits(names: String) async throws {
    for (number, edit) in Self.edits.enumerated() {
      _ = try await run([10, 11, 12], ["--names", names])
      let results = try await run(edit, ["--names", names])
      #expect(results.count == edit.count)
      for width in edit {
        let file = try #require(results[width]?["file"] as? String, "edit \(number): \(results)")
        let header = try ImageDecoder().header(of: room.bytes(of: "out/" + file))
        #expect(header.size.width == width, "edit \(number): \(file)")
      }
      let again = try await run(edit, ["--names", names])
      #expect(again.values.allSatisfy { $0["outcome"] as? String == "fresh" }, "edit \(number): \(again)")
      // No image of another format is left under the name.
      let files = try FileManager.default.subpathsOfDirectory(atPath: room.path("out"))
      let stems = files.filter { $0.hasSuffix("g") }.map { $0.split(separator: ".").dropLast().joined() }
      #expect(Set(stems).count == stems.count, "edit \(number): \(files)")
    }
  }

  @Test(
    "files of other credentials are loaded again, and those of the same ones are not",
    arguments: ["authorization: Bearer ", "cookie: id=", "x-api-key: "])
  func credentials(_ field: String) async throws {
    for names in ["{index:8}", "{key}", "{hash}"] {
      for (account, requests) in [("a", 2), ("a", 0), ("b", 2), ("b", 0)] {
        let before = origin.counters.requests
        let results = try await run([10, 11], ["--names", names, "-H", field + account])
        #expect(origin.counters.requests == before + requests, "\(names), \(account): \(results)")
      }
      let index = try String(decoding: room.bytes(of: "out/.cellophane/contents"), as: UTF8.self)
      #expect(!index.contains("Bearer"))
    }
  }

  @Test("an image file that was emptied is loaded again")
  func emptied() async throws {
    let file = try #require(try await run([10], [])[10]?["file"] as? String)
    try room.write([], as: "out/" + file)
    let again = try await run([10], [])
    #expect(again[10]?["outcome"] as? String == "fetched", "\(again)")
    #expect(try ImageDecoder().header(of: room.bytes(of: "out/" + file)).size.width == 10)
  }

  @Test(
    "files of other options are loaded again",
    arguments: [
      ["--size", "6x6"], ["--size", "5x5"], ["--size", "5x5", "--mode", "fill"], ["--output-format", "png"],
      ["--size", "5x5", "--filter", "lanczos3"], ["--size", "30x30", "--enlarge"],
      ["--output-format", "jpeg"],
      ["--output-format", "jpeg", "--quality", "50"], ["--strip"], ["--as", "bytes"],
      ["--size", "5x5", "--keep-metadata"], ["-H", "accept-language: de"],
    ])
  func options(_ options: [String]) async throws {
    for names in ["{index:8}", "{key}", "{hash}"] {
      _ = try await run([10, 11], ["--names", names])
      let before = origin.counters.requests
      let changed = try await run([10, 11], ["--names", names] + options)
      #expect(origin.counters.requests == before + 2, "\(names): \(changed)")
      let again = try await run([10, 11], ["--names", names] + options)
      #expect(again.values.allSatisfy { $0["outcome"] as? String == "fresh" }, "\(names): \(again)")
      #expect(origin.counters.requests == before + 2, "\(names)")
    }
  }

  @Test("a replaced file is not taken for the former one after a kill between its steps")
  func replaced() async throws {
    _ = try await run([10], [])
    let index = try room.bytes(of: "out/.cellophane/contents")
    _ = try await run([12], [])
    let lines = try room.bytes(of: "out/.cellophane/contents").split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 3)
    // The process was killed before it wrote the last line.
    try room.write(index + lines[1] + [UInt8(ascii: "\n")], as: "out/.cellophane/contents")
    let results = try await run([10], [])
    #expect(results[10]?["outcome"] as? String == "fetched", "\(results)")
  }

  @Test("a sample has the image, the caption and the result of one line after each edit")
  func samples() async throws {
    for (number, edit) in Self.edits.enumerated() {
      for text in ["a", "b"] {
        let results = try await run(
          edit, text: text, ["--webdataset", "--caption-column", "text", "--per-shard", "2"])
        #expect(
          results.count == edit.count && !results.values.contains { $0["outcome"] as? String == "failed" })
        for width in edit where results[width]?["outcome"] as? String != "fresh" {
          let parts = try #require(results[width]?["file"] as? String).split(separator: "/").map(String.init)
          let contents = try #require(files(ofTar: room.bytes(of: "out/" + parts[0])))
          let position = try #require(contents.firstIndex { $0.name == parts[1] })
          let header = try ImageDecoder().header(of: contents[position].content)
          #expect(header.size.width == width, "edit \(number)")
          #expect(contents[position + 1].content == Array("\(text)\(width)".utf8), "edit \(number)")
        }
        let again = try await run(edit, text: text, ["--webdataset", "--caption-column", "text"])
        #expect(again.values.allSatisfy { $0["outcome"] as? String == "fresh" }, "edit \(number): \(again)")
      }
    }
    // The samples of the same lines without captions are others.
    let plain = try await run([10, 11, 12], ["--webdataset"])
    #expect(plain.values.allSatisfy { $0["outcome"] as? String == "fetched" }, "\(plain)")
  }
}
