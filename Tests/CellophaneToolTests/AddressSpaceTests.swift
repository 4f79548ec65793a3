internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

#if os(Linux)
  @Suite("Small address spaces", .timeLimit(.minutes(5)))
  struct AddressSpaceTests {
    private static let commands = ["fetch URL --no-cache --timeout 5", "cache stats", "simulate --help"]

    @Test(
      "in any address space, the tool succeeds or reports the limit",
      arguments: [200_000, 300_000, 400_000, 500_000, 650_000])
    func few(kilobytes: Int) async throws {
      let room = try Room()
      let origin = try TestOrigin.gallery()
      for command in Self.commands {
        let ended = try await room.shell(
          "ulimit -v \(kilobytes); cellophane "
            + command.replacing("URL", with: origin.url("/8.png").description))
        let isReported = ended.exit == 1 && ended.errorLines.count == 1 && ended.errors.contains("ulimit -v")
        #expect(ended.exit == 0 || isReported, "\(command): \(ended)")
        #expect(kilobytes >= 400_000 || isReported, "\(command): \(ended)")
      }
    }

    /// The pixels of the image take 196 MB, and the process may use about 160 MB for a decoding. The tool and its
    /// dynamic libraries take about 220 MB of the address space.
    @Test("checking an image needs the memory of a few rows")
    func check() async throws {
      let room = try Room()
      let pixels = [UInt8](repeating: 255, count: 196_000_000)
      try room.write(Image(width: 7_000, height: 7_000, pixels: pixels).encoded(as: .png), as: "large.png")
      for (options, exit) in [("", 0), ("--json", 0), ("--size 6900", 2), ("--partial", 2)]
        as [(String, Int32)]
      {
        let ended = try await room.shell("ulimit -v 715000; cellophane decode large.png \(options)")
        #expect(ended.exit == exit, "\(options): \(ended)")
      }
    }

    @Test("1 GB is enough for a batch")
    func enough() async throws {
      let room = try Room()
      let origin = try TestOrigin.gallery()
      try room.write(lines: (1...30).map { origin.url("/\($0).png") }, as: "list")
      let ended = try await room.shell("ulimit -v 1000000; cellophane prefetch list --no-cache --json")
      #expect(ended.exit == 0, "\(ended)")
      #expect(try ended.json()["fetched"] as? Int == 30, "\(ended)")
    }

    @Test(
      "bodies that exceed the memory together are loaded one after the other", arguments: ["bytes", "image"])
    func largeBodies(kind: String) async throws {
      let room = try Room()
      let image = try Self.noise(side: 1_700)
      let origin = try TestOrigin { _ in OriginResponse(body: image) }
      try room.write(lines: (1...80).map { origin.url("/\($0).png") }, as: "list")
      let ended = try await room.shell(
        "ulimit -v 1000000; cellophane prefetch list -j 64 --as \(kind) --no-cache -o out --json")
      #expect(ended.exit == 0, "\(ended)")
      #expect(try ended.json()["fetched"] as? Int == 80, "\(ended)")
    }

    /// A PNG of random pixels, which does not compress: about 4 bytes per pixel.
    private static func noise(side: Int) throws -> [UInt8] {
      let file = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
      let pixels = try #require(try file.read(upToCount: side * side * 4))
      return try Image(width: side, height: side, pixels: Array(pixels)).encoded(as: .png)
    }
  }
#endif
