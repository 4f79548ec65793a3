import Cellophane
import Testing

@testable import CellophaneResults

/// Lists from HTTP archives.
@Suite struct ArchiveTests {
  /// Returns an archive with the entries `(URL, type, status, bodySize, content.size)`.
  static func archive(_ entries: [(String, String, Int, Double, Double)]) -> [UInt8] {
    let texts = entries.map { url, type, status, body, size in
      """
      {"startedDateTime":"2026-01-01T00:00:00Z","time":9,"request":{"method":"GET","url":"\(url)","headers":[]},
       "response":{"status":\(status),"bodySize":\(body),"content":{"size":\(size),"mimeType":"\(type)","text":"aGk="}},
       "timings":{"wait":5}}
      """
    }
    return Array(#"{"log":{"version":"1.2","entries":[\#(texts.joined(separator: ","))]}}"#.utf8)
  }

  static func read(_ text: [UInt8]) throws(LoadError) -> RowList {
    try RowList(name: "a.har", har: text, height: 120)
  }

  @Test
  func `the images of an archive are rows in the order of their requests, with the sizes of their files`()
    throws
  {
    let list = try Self.read(
      Self.archive([
        ("https://a.example/page", "text/html", 200, 900, 900),
        ("https://a.example/1.jpg", "image/jpeg", 200, 40_000, 41_000),
        ("https://b.example/2.webp", "image/webp", 200, -1, 30_000),
        ("https://b.example/icon.svg", "image/svg+xml", 200, 500, 500),
        ("data:image/png;base64,aGk=", "image/png", 200, 2, 2),
        ("https://a.example/gone.jpg", "image/jpeg", 404, 300, 300),
        ("https://a.example/3.png", "image/png", 304, 0, 0),
        ("https://a.example/1.jpg", "image/jpeg", 200, 0, 0),
        ("https://a.example/3.png", "image/png", 200, 700, 700),
      ]))
    #expect(list.urls == ["https://a.example/1.jpg", "https://b.example/2.webp", "https://a.example/3.png"])
    #expect(list.bytes == [40_000, 30_000, 700])
    #expect(list.heights == [120, 120, 120] && list.hostCount == 2)
  }

  @Test func `an archive is recognized by its first character, also behind a byte order mark`() throws {
    let archive = Self.archive([("https://a.example/1.jpg", "image/jpeg", 200, 4, 4)])
    for start in [[], Array(" \r\n".utf8), [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
      #expect(RowList.isArchive(start + archive))
    }
    for text in ["", "http://a/1,120", "[]", "url,height"] {
      #expect(!RowList.isArchive(Array(text.utf8)), "\(text)")
    }
    #expect(try Self.read([0xEF, 0xBB, 0xBF] + archive).urls.count == 1)
  }

  @Test(arguments: [
    ("{", "a.har is not an HTTP archive"), ("{}", "a.har is not an HTTP archive"),
    (#"{"log":{"entries":[{"request":{}}]}}"#, "a.har is not an HTTP archive at log.entries[0].request"),
    (#"{"log":{"entries":[]}}"#, "a.har has no images"),
    (#"{"log":{"entries":\#(String(repeating: "[", count: 100_000))"#, "a.har is not an HTTP archive"),
  ])
  func `a text that is no archive is refused with its place`(text: String, message: String) {
    let error = #expect(throws: LoadError.self) { try Self.read(Array(text.utf8)) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [16_000_001, 1e300]) func `a file that no list accepts is refused`(size: Double) {
    let archive = Self.archive([("https://a.example/1.jpg", "image/jpeg", 200, size, 1)])
    let error = #expect(throws: LoadError.self) { try Self.read(archive) }
    #expect(error?.message.contains("log.entries[0] has ") == true, "\(error?.message ?? "")")
  }
}
