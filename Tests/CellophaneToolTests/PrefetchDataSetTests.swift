internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@Suite("Records of data sets", .timeLimit(.minutes(2)))
struct PrefetchDataSetTests {
  private let room: Room
  private let origin: TestOrigin

  init() throws {
    room = try Room()
    origin = try TestOrigin { request in
      let fields: HeaderFields = [
        "cache-control": "max-age=900", "last-modified": "Sat, 28 Nov 2026 10:00:00 GMT",
      ]
      return OriginResponse(headers: fields, body: request.path == "/bytes" ? Array("abc".utf8) : Self.image)
    }
  }

  /// An image of 40x20 pixels whose colors are their coordinates.
  private static let image: [UInt8] = {
    let pixels = (0..<800).flatMap { index -> [UInt8] in [UInt8(index % 40), UInt8(index / 40), 7, 255] }
    return (try? Image(width: 40, height: 20, pixels: pixels).encoded(as: .png)) ?? []
  }()

  private func run(_ header: String, _ lines: [String], _ options: [String]) async throws -> [[String: Any]] {
    try room.write(lines: [header] + lines, as: "list.csv")
    let ended = try await room.run(
      ["prefetch", "list.csv", "--quiet", "--ordered", "--jsonl", "-"] + options)
    return try objects(lines: ended.output)
  }

  private func picture(_ result: [String: Any]) throws -> Image {
    try ImageDecoder().decode(
      room.bytes(of: "out/" + #require(result["file"] as? String)), options: ImageOptions())
  }

  @Test(
    "images are resized in each mode",
    arguments: [
      (["--mode", "border"], (16, 16), (16, 8)), (["--mode", "shortest-side"], (32, 16), (32, 16)),
      (["--mode", "fill"], (16, 16), (32, 16)), (["--mode", "fit"], (16, 8), (16, 8)),
      (["--size", "60", "--mode", "border"], (60, 60), (40, 20)),
      (["--size", "60", "--mode", "border", "--enlarge"], (60, 60), (60, 30)),
      (["--size", "60", "--mode", "shortest-side"], (40, 20), (40, 20)),
      (["--size", "60", "--mode", "shortest-side", "--enlarge"], (120, 60), (120, 60)),
    ])
  func modes(_ options: [String], _ size: (Int, Int), inner: (Int, Int)) async throws {
    let sizes = options.contains("--size") ? options : options + ["--size", "16"]
    let results = try await run("url", [origin.url("/a")], sizes + ["-o", "out"])
    let image = try picture(results[0])
    #expect(image.width == size.0 && image.height == size.1)
    #expect(results[0]["width"] as? Int == size.0 && results[0]["originalWidth"] as? Int == 40)
    #expect(results[0]["originalHeight"] as? Int == 20)
    // The border is white, and the image is in its center.
    let (left, top) = ((size.0 - min(inner.0, size.0)) / 2, (size.1 - min(inner.1, size.1)) / 2)
    for y in 0..<size.1 {
      for x in 0..<size.0 {
        let isInside = (left..<size.0 - left).contains(x) && (top..<size.1 - top).contains(y)
        #expect((image[x, y].blue == 7) == isInside)
      }
    }
    // A run with another mode replaces the file.
    let again = try await run("url", [origin.url("/a")], sizes + ["-o", "out"])
    #expect(again[0]["outcome"] as? String == "fresh")
    let other = try await run("url", [origin.url("/a")], ["--size", "16", "--mode", "exact", "-o", "out"])
    #expect(try picture(other[0]).width == 16)
  }

  @Test("each record has the box of its columns, also with one URL", arguments: ["1", "8"])
  func boxes(jobs: String) async throws {
    let boxes = [
      "0,0,40,20", "10,5,8,4", "38.5,18.5,9,9", "10.0,5,7.5,4", "50,50,4,4", "1,2,0,3", "0x1,1,2,3",
    ]
    let lines = boxes.map { "\(origin.url("/a")),\($0)" }
    let options = ["--crop-columns", "x,y,w,h", "-o", "out", "--names", "{index}", "-j", jobs]
    let results = try await run("url,x,y,w,h", lines, options)
    #expect(
      results.map { $0["outcome"] as? String }
        == ["fetched", "fetched", "fetched", "duplicate", "failed", "failed", "failed"]
        || results.map { $0["outcome"] as? String }.prefix(4).contains("fresh"), "\(results)")
    for (result, (x, y, width, height)) in zip(
      results, [(0, 0, 40, 20), (10, 5, 8, 4), (38, 18, 2, 2), (10, 5, 8, 4)])
    {
      let image = try picture(result)
      #expect(image.width == width && image.height == height)
      #expect(image[0, 0] == Image.Pixel(red: UInt8(x), green: UInt8(y), blue: 7))
    }
    #expect(results[3]["file"] as? String == results[1]["file"] as? String)
    let again = try await run("url,x,y,w,h", lines, options)
    #expect(again.map { $0["outcome"] as? String }.count { $0 == "fresh" } == 3, "\(again)")
    // A name that does not tell boxes apart is an error for the later record.
    let named = try await run(
      "url,x,y,w,h", Array(lines.prefix(2)),
      ["--crop-columns", "x,y,w,h", "-o", "named", "--names", "{key}"])
    #expect(named[1]["outcome"] as? String == "failed", "\(named)")
  }

  @Test("a box in one column is cropped before the image is resized")
  func oneColumn() async throws {
    let results = try await run(
      "url,box", [origin.url("/a") + #","[20, 0, 20, 20]""#],
      ["--crop-columns", "box", "-o", "out", "--size", "10"])
    let image = try picture(results[0])
    #expect(image.width == 10 && image.height == 10 && abs(Int(image[0, 0].red) - 20) <= 1)
  }

  @Test("a body with another hash than the list expects fails, each record by itself")
  func verification() async throws {
    let hashes = [
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD", String(repeating: "0", count: 64),
      "ba78",
    ]
    for order in [hashes, hashes.reversed()] {
      let results = try await run(
        "url,sum", order.map { "\(origin.url("/bytes")),\($0)" },
        ["--verify", "sha256:sum", "--hash", "md5", "--as", "bytes", "-o", "out\(order[0].count)"])
      let stages = results.map { ($0["error"] as? [String: Any])?["stage"] as? String }
      let expected: [String?] = [nil, nil, "verify", "input"]
      #expect(stages == (order[0] == hashes[0] ? expected : expected.reversed()), "\(results)")
      let loaded = results.filter { $0["error"] == nil }
      #expect(
        loaded.compactMap { $0["contentHash"] as? String }.allSatisfy {
          $0 == "md5:900150983cd24fb0d6963f7d28e17f72"
        })
    }
    let md5 = try await run(
      "url,sum", [origin.url("/bytes") + ",900150983cd24fb0d6963f7d28e17f72"],
      ["--verify", "md5:sum", "--as", "bytes", "--hash", "sha512"])
    #expect((md5[0]["contentHash"] as? String)?.hasPrefix("sha512:ddaf35a193617abacc417349ae204131") == true)
    #expect(md5[0]["lastModified"] as? String == "Sat, 28 Nov 2026 10:00:00 GMT")
  }

  @Test("a cached body with another hash than the list expects fails with advice")
  func cached() async throws {
    _ = try await run("url,sum", [origin.url("/bytes") + ",x"], ["--as", "bytes"])
    let results = try await run(
      "url,sum", [origin.url("/bytes") + "," + String(repeating: "0", count: 32)],
      ["--as", "bytes", "--verify", "md5:sum"])
    let message = (results[0]["error"] as? [String: Any])?["message"] as? String
    #expect(message?.contains("use --reload") == true, "\(results)")
  }

  @Test(
    "options that do not fit together are refused",
    arguments: [
      (["--verify", "sha1:a"], "write sha256:COLUMN"), (["--verify", "sha256"], "write sha256:COLUMN"),
      (["--crop-columns", "a,b"], "four columns"), (["--crop-columns", "a", "--as", "bytes"], "--as image"),
      (["--exif", "--as", "bytes", "--jsonl", "x"], "--as image"), (["--exif"], "add --jsonl"),
      (["--hash", "md5"], "add --jsonl"), (["--mode", "border"], "needs --size"),
      (["--crop-columns", "a", "--strip", "-o", "o"], "leave out --crop-columns"),
      (["--ignore-opt-out", "--as", "bytes", "-o", "o"], "needs --as image"),
      (["--verify", "md5:a"], "one URL per line"),
    ])
  func refused(options: [String], message: String) async throws {
    let ended = try await room.run(["prefetch", "http://127.0.0.1:1/"] + options)
    #expect(ended.exit == 64 && ended.errors.contains(message), "\(ended)")
  }
}
