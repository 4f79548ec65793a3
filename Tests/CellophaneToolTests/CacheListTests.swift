internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("cache list", .timeLimit(.minutes(5)))
struct CacheListTests {
  @Test("list omits entries with damaged metadata, counts them, and does not call such a cache empty")
  func damagedMetadata() async throws {
    let room = try Room()
    let origin = try TestOrigin { _ in
      OriginResponse(headers: ["cache-control": "max-age=60"], body: [UInt8](repeating: 1, count: 200))
    }
    for url in ["/1", "/2"] {
      #expect(try await room.run("fetch", origin.url(url), "--as", "bytes").exit == 0)
    }
    let folder = room.path("cache/cellophane")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }
      .filter { try Data(contentsOf: URL(filePath: $0)).count > 100 }
    #expect(files.count == 2)
    for (count, note) in [(1, "1 damaged entry is omitted"), (2, "2 damaged entries are omitted")] {
      try Data(repeating: 1, count: 200).write(to: URL(filePath: files[count - 1]))
      let list = try await room.run("cache", "list")
      #expect(list.exit == 0 && list.errors == note + "; run cellophane cache verify\n", "\(list)")
      #expect(list.text.split(separator: "\n").count == (count == 1 ? 2 : 0), "\(list)")
    }
    let empty = try await room.run("cache", "list", "--json").json()["entries"] as? [Any]
    #expect(empty?.isEmpty == true)
    #expect(try await room.run("cache", "verify").exit == 2)
    let list = try await room.run("cache", "list")
    #expect(list.errors == "the cache \(folder) is empty\n", "\(list)")
  }

  @Test("list shows the fields by which variants of a URL differ, and hides secrets")
  func listedVariants() async throws {
    let room = try Room()
    let origin = try TestOrigin { _ in OriginResponse(headers: ["cache-control": "max-age=60"], body: [1]) }
    let url = origin.url("/1")
    for options in [
      [], ["-H", "Accept-Language: de"], ["-H", "X-Variant: geheim"], ["-H", "X-Variant: other"],
    ] {
      let ended = try await room.run(["fetch", url, "--as", "bytes"] + options)
      #expect(ended.exit == 0, "\(ended)")
    }
    let list = try await room.run("cache", "list", "--json").json()["entries"] as? [[String: Any]] ?? []
    let fields = list.map { $0["fields"] as? [String: String] }
    #expect(fields.count == 4 && fields.contains(nil), "\(list)")
    #expect(fields.contains(["accept-language": "de"]), "\(list)")
    let keys = fields.compactMap { $0?["x-variant"] }
    #expect(Set(keys).count == 2 && keys.allSatisfy { $0.hasPrefix("#") && $0.count == 9 }, "\(list)")
    let text = try await room.run("cache", "list").text
    #expect(text.contains("\(url)\n") && text.contains("\(url)  accept-language: de\n"), "\(text)")
    #expect(keys.allSatisfy { text.contains("\(url)  x-variant: \($0)\n") }, "\(text)")
    #expect(!text.contains("geheim"), "\(text)")
  }
}
