internal import Cellophane
internal import Foundation
internal import Testing

@Suite("decode", .timeLimit(.minutes(5)))
struct DecodeTests {
  /// Returns a JPEG with an EXIF orientation after its first marker.
  private func rotated(_ jpeg: [UInt8], orientation: UInt8) -> [UInt8] {
    let tiff: [UInt8] =
      Array("Exif\0\0MM".utf8) + [
        0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
      ]
    return jpeg[..<2] + [0xFF, 0xE1, 0, UInt8(tiff.count + 2)] + tiff + jpeg[2...]
  }

  @Test("each file has one line of output or error, and errors cause exit code 2")
  func manyFiles() async throws {
    let room = try Room()
    try FileManager.default.createDirectory(atPath: room.path("bare"), withIntermediateDirectories: true)
    let png = try testImage(12, 8).encoded(as: .png)
    let good = [
      try room.write(png, as: "a.png"),
      try room.write(try testImage(9, 8).encoded(as: .jpeg(quality: 90)), as: "b"),
    ]
    let bad = [
      (try room.write(Array(png.dropLast(30)), as: "cut.png"), "truncated"),
      (try room.write(Array("text".utf8), as: "text.png"), "unsupported"),
      (try room.write([], as: "empty"), "truncated"), (room.path("missing"), "io"), (room.path("bare"), "io"),
      ("", "io"),
    ]
    let all = try await room.run(["decode"] + good + bad.map(\.0))
    #expect(all.exit == 2 && all.text.split(separator: "\n").count == 2, "\(all)")
    #expect(all.text.contains("png 12x8") && all.text.contains("jpeg 9x8"), "\(all)")
    #expect(all.errorLines.count == bad.count, "\(all)")
    for (line, (path, kind)) in zip(all.errorLines, bad) {
      #expect(line.hasPrefix("cellophane: \(kind): "), "\(line)")
      #expect(path.isEmpty || line.components(separatedBy: path + ": ").count == 2, "\(line)")
    }
    let onlyGood = try await room.run(["decode"] + good)
    #expect(onlyGood.exit == 0 && onlyGood.errors.isEmpty, "\(onlyGood)")
    let json = try await room.run(["decode", "--json"] + good + bad.map(\.0))
    let reports = try #require(try json.json()["files"] as? [[String: Any]])
    #expect(json.exit == 2 && reports.count == good.count + bad.count, "\(json)")
    let kinds = reports.map { ($0["error"] as? [String: Any])?["kind"] as? String }
    #expect(kinds == good.map { _ in nil } + bad.map(\.1), "\(json)")
  }

  @Test("--partial decodes the beginning of a truncated file and marks it as partial")
  func partialFiles() async throws {
    let room = try Room()
    let png = try testImage(64, 64).encoded(as: .png)
    let cut = try room.write(Array(png.dropLast(16)), as: "cut.png")
    let whole = try room.write(png, as: "whole.png")
    let lines = try await room.run("decode", "--partial", cut, whole)
    #expect(lines.exit == 0 && lines.text.contains("cut.png  png 64x64, partial\n"), "\(lines)")
    #expect(lines.text.contains("whole.png  png 64x64\n"), "\(lines)")
    let json = try await room.run("decode", "--partial", "--json", cut, whole)
    let reports = try #require(try json.json()["files"] as? [[String: Any]])
    let partial = reports.map { ($0["image"] as? [String: Any])?["partial"] as? Bool }
    #expect(partial == [true, false], "\(json)")
    let refused = try await room.run("decode", cut)
    #expect(
      refused.exit == 2 && refused.errors.hasSuffix("; --partial accepts missing pixels\n"), "\(refused)")
    // Nothing of these can be decoded.
    let header = try room.write(Array(png.prefix(20)), as: "header.png")
    let empty = try room.write([], as: "empty")
    for options in [[], ["--partial"]] {
      let ended = try await room.run(["decode", header, empty] + options)
      #expect(ended.exit == 2 && ended.errorLines.count == 2, "\(ended)")
      #expect(ended.errorLines.allSatisfy { $0.hasSuffix("; no pixel can be decoded") }, "\(ended)")
    }
  }

  @Test func `raw pixels have straight alpha and no padding`() async throws {
    let room = try Room()
    let image = try testImage(5, 3, halved: true)
    let file = try room.write(try image.encoded(as: .png), as: "a.png")
    let piped = try await room.run("decode", file, "--rgba", "-")
    #expect(piped.exit == 0 && piped.output == image.pixels, "\(piped)")
    let written = try await room.run("decode", file, "--rgba", room.path("a.rgba"))
    #expect(try written.exit == 0 && room.bytes(of: "a.rgba") == image.pixels, "\(written)")
    let again = try await room.run("decode", file, "--output", room.path("b.png"))
    #expect(try again.exit == 0 && ImageDecoder().decode(room.bytes(of: "b.png"), options: .init()) == image)
    let missing = try await room.run("decode", file, "--rgba", room.path("none/a.rgba"))
    #expect(missing.exit == 2 && missing.errors.hasPrefix("cellophane: io: "), "\(missing)")
  }

  @Test func `the orientation is applied unless --no-orient is given`() async throws {
    let room = try Room()
    let jpeg = try testImage(16, 8, halved: true).encoded(as: .jpeg(quality: 90))
    let file = try room.write(rotated(jpeg, orientation: 6), as: "rotated.jpg")
    for (arguments, width, height) in [([], 8, 16), (["--no-orient"], 16, 8)] as [([String], Int, Int)] {
      let ended = try await room.run(["decode", file, "--json"] + arguments)
      let image = (try ended.json()["files"] as? [[String: Any]])?.first?["image"] as? [String: Any]
      #expect(
        image?["width"] as? Int == width && image?["height"] as? Int == height, "\(arguments): \(ended)")
      #expect(image?["orientation"] as? Int == 6, "\(arguments): \(ended)")
    }
  }

  /// A cICP chunk for Display P3, with its checksum.
  private static let displayP3: [UInt8] = [0, 0, 0, 4, 99, 73, 67, 80, 12, 13, 0, 1, 110, 3, 227, 239]

  @Test func `a color space other than sRGB is reported`() async throws {
    let room = try Room()
    let png = try testImage(10, 8).encoded(as: .png)
    let plain = try room.write(png, as: "plain.png")
    let wide = try room.write(Array(png[..<33]) + Self.displayP3 + png[33...], as: "wide.png")
    let lines = try await room.run("decode", plain, wide)
    #expect(lines.text == "\(plain)  png 10x8\n\(wide)  png 10x8  Display P3, wide gamut\n")
    let files = try await room.run("decode", "--json", plain, wide).json()["files"] as? [[String: Any]]
    let colors = (files ?? []).compactMap { ($0["image"] as? [String: Any])?["color"] as? [String: Any] }
    try #require(colors.count == 2)
    #expect(colors.map { $0["srgb"] as? Bool } == [true, false])
    #expect(colors.map { $0["wideGamut"] as? Bool } == [false, true])
    #expect(colors.map { $0["profile"] as? String } == ["", "Display P3"])
    #expect(colors.map { $0["source"] as? String } == ["none", "cicp"])
    #expect(colors.map { $0["space"] as? String } == ["rgb", "rgb"])
    #if ColorManagement
      let unconverted = try await room.run("decode", wide, "--rgba", "-")
      let converted = try await room.run("decode", wide, "--srgb", "--rgba", "-")
      #expect(converted.exit == 0 && converted.output.count == unconverted.output.count, "\(converted)")
      #expect(converted.output != unconverted.output)
      let same = try await room.run("decode", plain, "--srgb", "--rgba", "-")
      #expect(try same.output == testImage(10, 8).pixels)
    #endif
  }

  @Test("--max-pixels applies to the size in the header")
  func maxPixels() async throws {
    let room = try Room()
    let file = try room.write(try testImage(10, 8).encoded(as: .png), as: "a.png")
    #expect(try await room.run("decode", file, "--max-pixels", "80").exit == 0)
    let refused = try await room.run("decode", file, "--max-pixels", "79")
    #expect(refused.exit == 2 && refused.errors.hasPrefix("cellophane: image-too-large: "), "\(refused)")
    #expect(refused.errors.hasSuffix("; raise --max-pixels\n"), "\(refused)")
  }
}
