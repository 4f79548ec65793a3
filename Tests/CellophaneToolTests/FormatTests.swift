#if GIF && WebP
  internal import Cellophane
  internal import Foundation
  internal import Testing

  @Suite("Formats of package traits in the tool", .timeLimit(.minutes(5)))
  struct FormatTests {
    /// Returns a room with a WebP, a GIF and a list of both.
    private func room() throws -> Room {
      let room = try Room()
      let tests = URL(filePath: #filePath).appending(path: "../..").standardized
      for (module, file, name) in [
        ("WebP", "lossless-64x48.webp", "a.webp"), ("GIF", "plain-64x48.gif", "b.gif"),
      ] {
        let source = tests.appending(path: "Cellophane\(module)Tests/Corpus/\(file)")
        try room.write(Array(Data(contentsOf: source)), as: name)
      }
      try room.write(lines: ["a.webp", "b.gif"].map { "file://" + room.path($0) }, as: "list")
      return room
    }

    @Test func `decode checks them, also in a directory, and writes PNG`() async throws {
      let room = try room()
      let checked = try await room.run("decode", "a.webp", "b.gif")
      #expect(checked.exit == 0 && checked.text == "a.webp  webp 64x48\nb.gif  gif 64x48\n", "\(checked)")
      let folder = try await room.run("decode", ".", "-o", "out", "--size", "32")
      #expect(folder.exit == 0, "\(folder)")
      for name in ["a.webp.png", "b.gif.png"] {
        let header = try ImageDecoder().header(of: room.bytes(of: "out/" + name))
        #expect(header.format == .png && header.size == PixelSize(width: 32, height: 24))
      }
    }

    @Test(arguments: [([], ["1.webp", "2.gif"]), (["--size", "32"], ["1.png", "2.png"])])
    func `prefetch keeps their format, and resized images become PNG`(
      options: [String], names: [String]
    ) async throws {
      let room = try room()
      let ended = try await room.run(
        ["prefetch", "list", "--allow-files", "-o", "out", "--names", "{index}", "--quiet"] + options)
      #expect(ended.exit == 0, "\(ended)")
      for name in names { #expect(try !room.bytes(of: "out/" + name).isEmpty) }
      if options.isEmpty { #expect(try room.bytes(of: "out/1.webp") == room.bytes(of: "a.webp")) }
      let again = try await room.run(
        ["prefetch", "list", "--allow-files", "-o", "out", "--names", "{index}", "--jsonl", "-", "--quiet"]
          + options)
      #expect(
        try objects(lines: again.output).allSatisfy { $0["outcome"] as? String == "fresh" }, "\(again)")
    }
  }
#endif
