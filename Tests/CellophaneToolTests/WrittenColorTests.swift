internal import Cellophane
internal import Foundation
internal import Testing

/// The colors of the images that the tool writes: converted to sRGB with the trait, otherwise declared.
@Suite("Colors of written images", .timeLimit(.minutes(5)))
struct WrittenColorTests {
  /// A cICP chunk for Display P3, with its checksum.
  private static let displayP3: [UInt8] = [0, 0, 0, 4, 99, 73, 67, 80, 12, 13, 0, 1, 110, 3, 227, 239]

  #if ColorManagement
    private let converts = true
  #else
    private let converts = false
  #endif

  private let pixels = [UInt8]((0..<300).map { $0 % 4 == 3 ? 255 : UInt8($0 * 3 % 256) })

  /// Returns a PNG whose colors are Display P3.
  private func wide() throws -> [UInt8] {
    let png = try Image(width: 5, height: 15, pixels: pixels).encoded(as: .png)
    return Array(png[..<33]) + Self.displayP3 + png[33...]
  }

  /// Returns the profile of a written file and true if its pixels are those of `wide`.
  private func colors(_ file: [UInt8]) throws -> (profile: String?, isUnchanged: Bool) {
    let image = try ImageDecoder().decode(file, options: ImageOptions())
    return (image.colorProfile?.name, image.pixels == pixels)
  }

  @Test func `written images are converted, and bodies are written unchanged`() async throws {
    let room = try Room()
    let file = try room.write(try wide(), as: "wide.png")
    let url = "file://" + file
    try room.write(lines: [url], as: "list")
    let commands: [(command: [String], output: String, isBody: Bool)] = [
      (["fetch", url, "--allow-files", "--size", "90", "-o", "a.png"], "a.png", false),
      (["fetch", url, "--allow-files", "-o", "b.png"], "b.png", true),
      (["decode", file, "-o", "c.png"], "c.png", false),
      (
        ["prefetch", "list", "--allow-files", "--no-cache", "--quiet", "--size", "90", "-o", "d"],
        "d/00000001.png",
        false
      ),
      (["prefetch", "list", "--allow-files", "--no-cache", "--quiet", "-o", "e"], "e/00000001.png", true),
    ]
    for (command, output, isBody) in commands {
      let ended = try await room.run(command)
      #expect(ended.exit == 0, "\(ended)")
      let bytes = try room.bytes(of: output)
      let (profile, isUnchanged) = try colors(bytes)
      if isBody {
        #expect(try bytes == wide(), "\(command)")
      } else {
        #expect(profile == (converts ? nil : "Display P3") && isUnchanged == !converts, "\(command)")
      }
    }
  }

  @Test func `a JPEG has the profile of a PNG`() async throws {
    let room = try Room()
    let file = try room.write(try wide(), as: "wide.png")
    let ended = try await room.run(["decode", file, "-o", "a.jpg"] + (converts ? ["--no-srgb"] : []))
    #expect(ended.exit == 0, "\(ended)")
    let written = try ImageDecoder().decode(room.bytes(of: "a.jpg"), options: ImageOptions())
    #expect(written.colorProfile?.name == "Display P3" && written.colorProfile?.icc != nil)
  }

  @Test func `pixels without a file have the colors of the original`() async throws {
    let room = try Room()
    let file = try room.write(try wide(), as: "wide.png")
    #expect(try await room.run("decode", file, "--rgba", "-").output == pixels)
    let both = try await room.run("decode", file, "--rgba", "pixels", "-o", "a.png")
    #expect(both.exit == 0, "\(both)")
    #expect(try room.bytes(of: "pixels") == pixels)
    let (profile, isUnchanged) = try colors(room.bytes(of: "a.png"))
    #expect(profile == "Display P3" && isUnchanged)
  }

  @Test func `an orientation that is not applied is written`() async throws {
    let room = try Room()
    let image = try Image(width: 5, height: 15, pixels: pixels, orientation: .right)
    let file = try room.write(try image.encoded(as: .png), as: "turned.png")
    for (arguments, width) in [([], 15), (["--no-orient"], 5)] as [([String], Int)] {
      let ended = try await room.run(["decode", file, "-o", "a.jpg"] + arguments)
      #expect(ended.exit == 0, "\(ended)")
      let header = try ImageDecoder().header(of: room.bytes(of: "a.jpg"))
      #expect(header.size.width == width && header.displaySize == PixelSize(width: 15, height: 5))
    }
  }

  #if ColorManagement
    @Test func `colors are kept on request`() async throws {
      let room = try Room()
      let file = try room.write(try wide(), as: "wide.png")
      let url = "file://" + file
      try room.write(lines: [url], as: "list")
      let prefetch = ["prefetch", "list", "--allow-files", "--no-cache", "--quiet", "--reload", "-o", "d"]
      let commands: [(command: [String], output: String, isKept: Bool)] = [
        (["fetch", url, "--allow-files", "--size", "90", "--no-srgb", "-o", "a.png"], "a.png", true),
        (["fetch", url, "--allow-files", "--srgb", "-o", "b.png"], "b.png", false),
        (["decode", file, "--no-srgb", "-o", "c.png"], "c.png", true),
        (prefetch + ["--size", "90", "--no-srgb"], "d/00000001.png", true),
        (prefetch + ["--size", "90", "--keep-metadata"], "d/00000001.png", true),
        (prefetch + ["--size", "90", "--keep-metadata", "--srgb"], "d/00000001.png", false),
        (prefetch + ["--srgb"], "d/00000001.png", false),
      ]
      for (command, output, isKept) in commands {
        let ended = try await room.run(command)
        #expect(ended.exit == 0, "\(ended)")
        let (profile, isUnchanged) = try colors(room.bytes(of: output))
        #expect(profile == (isKept ? "Display P3" : nil) && isUnchanged == isKept, "\(command)")
      }
    }

    @Test func `HDR colors are kept with a warning`() async throws {
      let room = try Room()
      let png = try Image(width: 5, height: 15, pixels: pixels).encoded(as: .png)
      // The chunk and its checksum.
      let hdr: [UInt8] = [0, 0, 0, 4, 99, 73, 67, 80, 9, 16, 0, 1, 0, 0, 0, 0]
      var file = Array(png[..<33]) + hdr + png[33...]
      let checksum = crc(Array(file[37..<45]))
      file.replaceSubrange(
        45..<49, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - $0 * 8)) })
      let path = try room.write(file, as: "hdr.png")
      let ended = try await room.run("decode", path, "-o", "a.png", "--json")
      let image = (try ended.json()["files"] as? [[String: Any]])?.first?["image"] as? [String: Any]
      #expect(image?["warnings"] as? [String] == ["unconverted-colors"], "\(ended)")
      #expect(try colors(room.bytes(of: "a.png")) == ("Rec. 2100 PQ", true))
    }

    private func crc(_ bytes: [UInt8]) -> UInt32 {
      ~bytes.reduce(UInt32.max) { crc, byte in
        (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
          value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
      }
    }
  #endif
}
