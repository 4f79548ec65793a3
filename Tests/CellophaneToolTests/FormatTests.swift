#if GIF && WebP
  internal import Cellophane
  internal import CellophaneTestOrigin
  internal import CellophaneWebP
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
      for (name, format) in [("a.webp", .webP), ("b.gif.png", .png)] as [(String, ImageFormat)] {
        let header = try decoder.header(of: room.bytes(of: "out/" + name))
        #expect(header.format == format && header.size == PixelSize(width: 32, height: 24))
      }
    }

    private var decoder: ImageDecoder { ImageDecoder(codecs: [.png, .jpeg, .webP]) }

    @Test func `the name of the output decides the format`() async throws {
      let room = try room()
      let origin = try TestOrigin.gallery()
      let written = try await room.run("decode", "a.webp", "-o", "c.jpg")
      #expect(written.exit == 0, "\(written)")
      for (source, output, format) in [
        (origin.url("/40.png"), "d.webp", .webP), ("file://" + room.path("a.webp"), "e.webp", .webP),
        ("file://" + room.path("b.gif"), "f.png", .png),
      ] as [(String, String, ImageFormat)] {
        let fetched = try await room.run("fetch", source, "--allow-files", "-o", output)
        #expect(fetched.exit == 0, "\(fetched)")
        #expect(try decoder.header(of: room.bytes(of: output)).format == format)
      }
      // Bodies of the format of the name are unchanged, also if it cannot be encoded.
      let same = try await room.run("fetch", "file://" + room.path("b.gif"), "--allow-files", "-o", "g.gif")
      #expect(try same.exit == 0 && room.bytes(of: "g.gif") == room.bytes(of: "b.gif"), "\(same)")
      #expect(try room.bytes(of: "e.webp") == room.bytes(of: "a.webp"))
      let other = try await room.run("fetch", origin.url("/40.png"), "-o", "h.gif")
      #expect(
        other.exit == 1
          && other.errors.contains(
            "the image is a PNG, and 'h.gif' has the name of a GIF, which cannot be encoded; use a name that ends in .png"
          ), "\(other)")
      let resized = try await room.run("fetch", origin.url("/40.png"), "--size", "9", "-o", "h.gif")
      #expect(resized.exit == 64 && resized.errors.contains("fetch cannot encode 'h.gif'"), "\(resized)")
    }

    @Test func `prefetch writes WebP of a quality`() async throws {
      let room = try room()
      var sizes: [Int] = []
      for quality in ["10", "95"] {
        let ended = try await room.run([
          "prefetch", "list", "--allow-files", "-o", quality, "--names", "{index}", "--quiet",
          "--output-format", "webp",
          "--quality", quality,
        ])
        #expect(ended.exit == 0, "\(ended)")
        let file = try room.bytes(of: quality + "/2.webp")
        #expect(try decoder.header(of: file).size == PixelSize(width: 64, height: 48))
        sizes.append(file.count)
      }
      #expect(sizes[0] < sizes[1])
    }

    @Test(arguments: [([], ["1.webp", "2.gif"]), (["--size", "32"], ["1.webp", "2.png"])])
    func `prefetch keeps their format, and resized images of formats without an encoder become PNG`(
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
