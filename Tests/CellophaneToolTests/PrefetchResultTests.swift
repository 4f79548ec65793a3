internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("Results of prefetch", .timeLimit(.minutes(5)))
struct PrefetchResultTests {
  @Test("a result contains timings, the number of attempts, the cache key and the hash of the content")
  func fields() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let arguments = [
      "prefetch", "--jsonl", "-", "--quiet", "-j", "1", origin.url("/8.png"), origin.url("/8.jpg"),
    ]
    let results = try objects(lines: try await room.run(arguments).output)
    for result in results {
      let timings = try #require(result["timings_ms"] as? [String: Double], "\(result)")
      #expect(Set(timings.keys) == ["queue", "dns", "connect", "tls", "firstByte", "transfer", "decode"])
      #expect(timings.values.reduce(0, +) <= result["duration_ms"] as? Double ?? 0, "\(result)")
      #expect(timings["tls"] == 0 && timings["firstByte"] ?? 0 > 0 && timings["decode"] ?? 0 > 0, "\(result)")
      #expect(result["tries"] as? Int == 1)
      let key = try #require(result["cacheKey"] as? String)
      let files = try FileManager.default.contentsOfDirectory(atPath: room.path("cache/cellophane"))
      #expect(files.contains { $0.hasPrefix(key) }, "\(key) \(files)")
    }
    let connect = results.map { ($0["timings_ms"] as? [String: Double])?["connect"] ?? -1 }
    #expect(connect.count == 2 && connect[0] > 0 && connect[1] == 0, "the connection is reused: \(connect)")
    let again = try objects(lines: try await room.run(arguments).output)
    #expect(again.map { $0["contentHash"] as? String } == results.map { $0["contentHash"] as? String })
    #expect(
      again.allSatisfy {
        $0["tries"] == nil && ($0["timings_ms"] as? [String: Double])?.keys.sorted() == ["decode"]
      })
  }

  @Test("a failed result contains the status, the content type and the timings so far")
  func failedResults() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      switch request.path {
      case "/text": OriginResponse(headers: ["content-type": "text/plain"], body: Array("hello".utf8))
      case "/moved": .redirect(to: "/404")
      case "/circle": .redirect(to: "/circle")
      default: OriginResponse(status: 404, headers: ["content-type": "text/html"])
      }
    }
    let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1000\r\n\r\n"
    let resetting = try RawOrigin { _ in [.read, .send(head), .reset] }
    let truncating = try RawOrigin { _ in [.read, .send(head + "half of it"), .cut] }
    let silent = try RawOrigin { _ in [.read, .hold] }
    let large = try RawOrigin { _ in [.read, .send(head.replacing("1000", with: "1000000")), .hold] }
    let refusing = try RawOrigin { _ in [] }
    refusing.stop()
    let expected: [(url: String, status: Int?, contentType: String?, positive: Set<String>)] = [
      (refusing.url("/"), nil, nil, ["connect"]),
      (silent.url("/"), nil, nil, ["connect", "firstByte"]),
      (resetting.url("/"), 200, "image/png", ["connect", "firstByte", "transfer"]),
      (truncating.url("/"), 200, "image/png", ["connect", "firstByte", "transfer"]),
      (large.url("/"), 200, "image/png", ["connect", "firstByte"]),
      (origin.url("/404"), 404, "text/html", ["firstByte"]),
      (origin.url("/moved"), 404, "text/html", ["firstByte"]),
      (origin.url("/circle"), 302, nil, ["firstByte"]),
      (origin.url("/text"), 200, "text/plain", ["firstByte", "decode"]),
    ]
    try room.write(lines: expected.map(\.url), as: "list")
    let ended = try await room.run(
      "prefetch", "list", "--ordered", "--jsonl", "-", "--quiet", "--timeout", "5", "--max-bytes", "9000")
    let results = try objects(lines: ended.output)
    #expect(results.count == expected.count, "\(ended)")
    for (result, (url, status, contentType, positive)) in zip(results, expected) {
      #expect(result["status"] as? Int == status, "\(url): \(result)")
      #expect(result["contentType"] as? String == contentType, "\(url): \(result)")
      let timings = try #require(result["timings_ms"] as? [String: Double], "\(url): \(result)")
      #expect(timings.keys.contains("tls") && timings["tls"] == 0, "\(url): \(result)")
      #expect(positive.allSatisfy { timings[$0] ?? 0 > 0 }, "\(url): \(result)")
      if status == nil { #expect(timings["transfer"] == 0, "\(url): \(result)") }
      #expect(timings.values.reduce(0, +) <= result["duration_ms"] as? Double ?? 0, "\(url): \(result)")
    }
  }

  @Test("an image that --size makes too large fails in the stage resize")
  func resizing() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let truncated = try TestOrigin { _ in OriginResponse(body: Array("\u{89}PNG\r\n\u{1A}\n".utf8)) }
    let arguments = [
      "prefetch", origin.url("/8.png"), truncated.url("/"), "--ordered", "--jsonl", "-", "--quiet", "--size",
    ]
    for (size, stages) in [("60000x60000", ["resize", "decode"]), ("5x5", [nil, "decode"])] {
      let ended = try await room.run(arguments + [size, "--enlarge", "--mode", "exact"])
      let results = try objects(lines: ended.output)
      #expect(results.map { ($0["error"] as? [String: Any])?["stage"] as? String } == stages, "\(ended)")
    }
  }

  @Test("an error states its stage and whether it is retryable")
  func stages() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      var response = OriginResponse(
        headers: ["cache-control": "max-age=60"],
        body: [UInt8](repeating: 7, count: request.path == "/large" ? 1_000 : 800))
      switch request.path {
      case "/cut": response.ending = .closed(after: 500)
      case "/silent": response.ending = .silent
      case "/hung": response.ending = .hung(after: 500)
      case "/text":
        response = OriginResponse(headers: ["content-type": "text/plain"], body: Array("hello".utf8))
      case "/404": response = OriginResponse(status: 404)
      case "/503": response = OriginResponse(status: 503, headers: ["retry-after": "3000"])
      case "/circle": response = OriginResponse(status: 302, headers: ["location": "/circle"])
      default: break
      }
      return response
    }
    // Only the records that time out have a short timeout.
    for (timeout, expected) in [
      (
        "60",
        [
          (origin.url("/404"), "status", "http", false), (origin.url("/circle"), "redirects", "http", false),
          (origin.url("/cut"), "connection-lost", "body", true),
          (origin.url("/large"), "body-too-large", "body", false),
          (origin.url("/text"), "unsupported", "decode", false),
          ("http://127.0.0.1:1/", "connect", "connect", true), ("http://host.invalid/", "dns", "dns", false),
          ("https://127.0.0.1:\(origin.port)/", "tls", "tls", false),
          ("file:///etc/hosts", "refused", "input", false),
        ]
      ),
      (
        "5",
        [(origin.url("/silent"), "timeout", "http", true), (origin.url("/hung"), "timeout", "body", true)]
      ),
      // The origin requests a pause, which applies to all of its records from then on.
      ("60", [(origin.url("/503"), "status", "http", true)]),
    ] {
      try room.write(lines: expected.map(\.0), as: "list")
      let ended = try await room.run(
        "prefetch", "list", "--jsonl", "-", "--quiet", "--timeout", timeout, "--max-bytes", "900")
      let results = try objects(lines: ended.output)
        .sorted { ($0["index"] as? Int ?? 0) < ($1["index"] as? Int ?? 0) }
      #expect(results.count == expected.count, "\(ended)")
      for (result, (url, kind, stage, isRetryable)) in zip(results, expected) {
        let error = try #require(result["error"] as? [String: Any], "\(url): \(result)")
        #expect(error["kind"] as? String == kind && error["stage"] as? String == stage, "\(url): \(result)")
        #expect(error["retryable"] as? Bool == isRetryable, "\(url): \(result)")
      }
    }
    let file = try room.write([], as: "file")
    let unwritable = try await room.run(
      "prefetch", origin.url("/large"), "--as", "bytes", "--jsonl", "-", "--quiet", "-o", file + "/none")
    #expect(unwritable.exit == 1, "\(unwritable)")
  }
}
