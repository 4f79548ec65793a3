internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("fetch", .timeLimit(.minutes(5)))
struct FetchTests {
  @Test("a failure has an exit code, one line on standard error, and with --json an object")
  func failures() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    for (arguments, exit, kind) in [
      (["/nothing"], 1, "status"),
      (["/text"], 1, "unsupported"),
      (["/empty"], 1, "truncated"),
      (["/no-content"], 1, "truncated"),
      (["/9.png", "--offline"], 1, "not-cached"),
      (["/9.png", "--offline", "-H", "Cache-Control: no-cache"], 1, "not-cached"),
      (["/9.png", "--deny-private"], 1, "refused"),
      (["/large", "--as", "bytes", "--max-bytes", "1999"], 1, "body-too-large"),
      (["/large", "--as", "bytes", "--max-bytes", "1kB"], 1, "body-too-large"),
      (["/hangs", "--timeout", "0.05"], 1, "timeout"),
      (["/9.png", "-H", "A: b\r\nC: d"], 64, "invalid-arguments"),
      (["/9.png", "-H", "A: b\nC: d"], 64, "invalid-arguments"),
      (["/9.png", "-H", "A b: c"], 64, "invalid-arguments"),
      (["/9.png", "--output", room.path("none/9.png")], 1, "io"),
      (["/9.png", "--output", room.path], 1, "io"),
    ] as [([String], Int32, String)] {
      let ended = try await room.run(["fetch", origin.url(arguments[0]), "--json"] + arguments.dropFirst())
      #expect(ended.exit == exit, "\(arguments): \(ended)")
      #expect(try ended.errorKind() == kind, "\(arguments): \(ended)")
      #expect(
        ended.errorLines.count == 1 && ended.errors.hasPrefix("cellophane: \(kind): "),
        "\(arguments): \(ended)")
    }
  }

  @Test func `an error states the option that would change the outcome`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    for (arguments, advice) in [
      (["/text"], "; --as bytes accepts any body\n"),
      (["/9.png", "--offline"], "; leave out --offline to load it from the origin\n"),
      (["/9.png", "--deny-private"], "; leave out --deny-private to allow it\n"),
      (["/large", "--as", "bytes", "--max-bytes", "1999"], "; raise --max-bytes\n"),
      (["/hangs", "--timeout", "0.3"], "; raise --timeout\n"),
      (["/nothing"], " answered 404; check the URL\n"),
      (["/no-content"], "response is empty; load it again; --as bytes accepts any body\n"),
      (["/9.png", "-x", "127.0.0.1:1"], " after 3 attempts; check --proxy\n"),
      (["/9.png", "--output", "."], "cannot write .: it is a directory; name a file in it\n"),
    ] {
      let ended = try await room.run(["fetch", origin.url(arguments[0])] + arguments.dropFirst())
      #expect(ended.exit == 1 && ended.errors.hasSuffix(advice), "\(ended)")
    }
    let list = try await room.run("prefetch", origin.url("/text"), "--no-cache")
    #expect(
      list.errors.hasPrefix("cellophane: unsupported: argument 1: \(origin.url("/text")): ")
        && list.errors.hasSuffix(
          "; --as bytes accepts any body; to load a list of URLs from the web, save it first:"
            + " cellophane fetch URL --as bytes -o FILE\n"),
      "\(list)")
    let stopped = try await room.run("fetch", "http://127.0.0.1:1/")
    #expect(
      stopped.errors.hasSuffix(" after 3 attempts; check the address, and that the server runs\n"),
      "\(stopped)")
    let file = try await room.run("decode", origin.url("/9.png"))
    #expect(
      file.errors.hasSuffix(
        "; this is a URL, not the path of a file; save its content, and give the path of that file\n"),
      "\(file)")
  }

  @Test func `an error states whether it is retryable`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    for (path, isRetryable) in [("/nothing", false), ("/hangs", true)] {
      let timeout = isRetryable ? "0.05" : "30"
      let ended = try await room.run("fetch", origin.url(path), "--json", "--timeout", timeout)
      let error = try #require(try ended.json()["error"] as? [String: Any])
      #expect(error["retryable"] as? Bool == isRetryable, "\(path): \(ended)")
    }
  }

  @Test("an error states the number of attempts and the pause that its origin requested")
  func attempts() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      let status = Int(request.path.dropFirst()) ?? 0
      return OriginResponse(status: status, headers: request.query.map { ["retry-after": $0] } ?? [:])
    }
    try room.write(lines: [origin.url("/503?3600")], as: "list")
    for (path, message, attempts, seconds) in [
      ("/500", "answered 500 after 3 attempts; try again later", 3, nil),
      ("/404", "answered 404; check the URL", nil, nil),
      ("/503?30", "answered 503; retry in 30 s", nil, 30),
      ("/429?3600", "answered 429; retry in 60 min", nil, 3_600),
    ] as [(String, String, Int?, Double?)] {
      let ended = try await room.run("fetch", origin.url(path), "--json")
      let error = try #require(try ended.json()["error"] as? [String: Any])
      #expect(
        ended.errors.hasSuffix(message + "\n") && (error["message"] as? String)?.hasSuffix(message) == true,
        "\(ended)")
      #expect(
        error["attempts"] as? Int == attempts && error["retryAfter_s"] as? Double == seconds, "\(ended)")
    }
    let listed = try await room.run("prefetch", "list")
    #expect(
      listed.errors.hasSuffix(": line 1: \(origin.url("/503?3600")) answered 503; retry in 60 min\n"),
      "\(listed)")
  }

  #if !os(macOS)
    @Test("--cacert trusts the certificates of a file")
    func certificates() async throws {
      let room = try Room()
      let openssl = try await room.shell(
        "openssl req -x509 -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -out ca.pem"
          + " -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem && touch empty.pem")
      #expect(openssl.exit == 0, "\(openssl)")
      let identity = TLSIdentity(
        certificatePEM: String(decoding: try room.bytes(of: "ca.pem"), as: UTF8.self),
        privateKeyPEM: String(decoding: try room.bytes(of: "key.pem"), as: UTF8.self))
      let origin = try RawOrigin(identity: identity) { _ in
        [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
      }
      let url = "https://127.0.0.1:\(origin.port)/"
      for (arguments, exit) in [
        ([], 1), (["--cacert", "ca.pem"], 0), (["--cacert", "none.pem"], 1), (["--cacert", "empty.pem"], 1),
      ] as [([String], Int32)] {
        let ended = try await room.run(["fetch", url, "--as", "bytes", "--no-cache"] + arguments)
        #expect(ended.exit == exit && (exit == 0 || ended.errors.hasPrefix("cellophane: tls: ")), "\(ended)")
        let advice =
          arguments.last.map { "; check the certificates (PEM) in \($0) of --cacert\n" }
          ?? "; use --cacert FILE\n"
        #expect(exit == 0 || ended.errors.hasSuffix(advice), "\(ended)")
      }
    }
  #endif

  #if os(Linux)
    @Test("the tool exits without the finalizers of libraries, which other threads may still use")
    func finalizers() async throws {
      let room = try Room()
      let origin = try TestOrigin.gallery()
      for path in ["/9.png", "/nothing"] {
        let ended = try await room.shell(
          "LD_DEBUG=files LD_DEBUG_OUTPUT=trace cellophane fetch \(origin.url(path)) > /dev/null 2>&1;"
            + " cat trace.* > all; rm trace.*; grep -c 'calling init.*libcurl' all; grep -c 'calling fini' all"
        )
        #expect(ended.text == "1\n0\n", "\(path): \(ended)")
      }
    }
  #endif

  @Test("--deny-private refuses a cached response from a private address")
  func deniedFromDisk() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let allowed = try await room.run("fetch", origin.url("/9.png"))
    #expect(allowed.exit == 0, "\(allowed)")
    let denied = try await room.run("fetch", origin.url("/9.png"), "--deny-private")
    #expect(denied.exit == 1 && denied.errors.hasPrefix("cellophane: refused: "), "\(denied)")
  }

  @Test func `a file URL requires --allow-files`() async throws {
    let room = try Room()
    let file = try room.write(try testImage(7, 5).encoded(as: .png), as: "7.png")
    let refused = try await room.run("fetch", "file://" + file)
    #expect(refused.exit == 1 && refused.errors.hasPrefix("cellophane: refused: "), "\(refused)")
    #expect(refused.errors.contains("--allow-files"), "\(refused)")
    try room.write(lines: ["file://" + file], as: "list")
    for command in [["prefetch", "list"], ["simulate", "--quiet", "--urls", "list"]] {
      let ended = try await room.run(command)
      #expect(ended.exit != 0 && ended.errorLines.count == 1, "\(command): \(ended)")
      #expect(ended.errors.contains("--allow-files"), "\(command): \(ended)")
    }
    let allowed = try await room.run("fetch", "file://" + file, "--allow-files", "--json")
    #expect((try allowed.json()["image"] as? [String: Any])?["width"] as? Int == 7, "\(allowed)")
  }

  @Test("the body is written unchanged, after content decoding")
  func bodies() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    for (path, form, expected) in [
      ("/12.png", "image", try testImage(12, 8).encoded(as: .png)),
      ("/13.jpg", "image", try testImage(13, 8).encoded(as: .jpeg(quality: 90))),
      ("/12.png", "bytes", try testImage(12, 8).encoded(as: .png)),
      ("/text", "bytes", Array("hello".utf8)),
      ("/empty", "bytes", []),
      ("/no-content", "bytes", []),
      ("/gzip", "bytes", Array(TestOrigin.decodedGzip.utf8)),
    ] {
      let file = try await room.run("fetch", origin.url(path), "--as", form, "--output", room.path("body"))
      #expect(file.exit == 0 && file.errors.isEmpty, "\(path): \(file)")
      #expect(file.text.split(separator: "\n").count == 1, "\(path): \(file)")
      #expect(try room.bytes(of: "body") == expected, "\(path)")
      let piped = try await room.run("fetch", origin.url(path), "--as", form, "-o", "-")
      #expect(piped.exit == 0 && piped.output == expected && piped.errorLines.count == 1, "\(path): \(piped)")
    }
  }

  @Test("--size and another file extension encode the image again")
  func encoding() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    for (arguments, format, size) in [
      (["--size", "10x10", "--output", "small.png"], ImageFormat.png, PixelSize(width: 10, height: 2)),
      (["--size", "10x4", "--mode", "exact", "-o", "exact.jpg"], .jpeg, PixelSize(width: 10, height: 4)),
      (["--output", "other.jpg"], .jpeg, PixelSize(width: 40, height: 8)),
    ] {
      let ended = try await room.run(["fetch", origin.url("/40.png")] + arguments)
      #expect(ended.exit == 0, "\(arguments): \(ended)")
      let header = try ImageDecoder().header(of: try room.bytes(of: arguments.last ?? ""))
      #expect(header.format == format && header.size == size, "\(arguments)")
    }
    #expect(origin.counters.requests == 1)
  }

  @Test("a file name of a format that cannot be written is refused, unless the body is written unchanged")
  func foreignNames() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let refused = try await room.run("fetch", origin.url("/40.png"), "-o", "a.bmp")
    #expect(
      refused.exit == 64 && refused.errors.contains("a name that ends in .png, .jpg, .webp or .avif"),
      "\(refused)")
    #expect(refused.errors.contains("--as bytes") && origin.counters.requests == 0, "\(refused)")
    let resized = try await room.run("fetch", origin.url("/40.png"), "--size", "9", "-o", "a.gif")
    #expect(resized.exit == 64 && !resized.errors.contains("--as bytes"), "\(resized)")
    for name in [
      "a.HEIC", "a.heif", "a.tiff", "a.apng", "a.jp2", "a.pdf", "a.mp4", "a.html",
      "b/c.svg",
    ] {
      let ended = try await room.run("fetch", origin.url("/40.png"), "-o", name)
      #expect(ended.exit == 64 && ended.errors.contains("cannot encode '\(name)'"), "\(ended)")
    }
    #expect(origin.counters.requests == 0)
    for name in ["a.jpe", "a.JFIF", "a.pjpeg", "a.webp.jpg"] {
      let ended = try await room.run("fetch", origin.url("/40.png"), "-o", name)
      #expect(ended.exit == 0, "\(ended)")
      #expect(try ImageDecoder().header(of: room.bytes(of: name)).format == .jpeg, "\(name)")
    }
    for arguments in [["-o", "a.gif", "--as", "bytes"], ["-o", "a.body"], ["-o", "a"], ["-o", "a.part"]] {
      let written = try await room.run(["fetch", origin.url("/40.png")] + arguments)
      #expect(written.exit == 0, "\(written)")
      #expect(try room.bytes(of: arguments[1]) == testImage(40, 8).encoded(as: .png))
    }
  }

  @Test("control characters of an origin or a file name do not reach the terminal")
  func controlCharacters() async throws {
    let room = try Room()
    let origin = try RawOrigin(
      answer: Array("HTTP/1.1 200 OK\r\nContent-Type: a\u{1B}]0;b\u{7}c\r\nContent-Length: 1\r\n\r\nx".utf8)
    )
    let fetched = try await room.run(
      "fetch", "http://127.0.0.1:\(origin.port)/", "--as", "bytes", "--no-cache")
    #expect(!fetched.output.contains(0x1B) && !fetched.output.contains(7), "\(fetched)")
    #expect(!fetched.errors.contains("\u{1B}"), "\(fetched)")
    let name = "a\n\u{1B}[2J\u{9B}b.png"
    try room.write(try testImage(5, 3).encoded(as: .png), as: name)
    let decoded = try await room.run("decode", name, name + "?")
    #expect(decoded.exit == 2 && decoded.errorLines.count == 1, "\(decoded)")
    #expect(decoded.text == #"a\n\u{1B}[2J\u{009B}b.png  png 5x3"# + "\n", "\(decoded)")
    #expect(!decoded.errors.contains("\u{1B}") && !decoded.errors.contains("\u{9B}"), "\(decoded)")
  }

  @Test func `the cache is used only if options and request headers permit it`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    for (arguments, source, requests) in [
      ([], "network", 1), ([], "disk", 1), (["--offline"], "disk", 1), (["--reload"], "network", 2),
      (["--cache-dir", "another"], "network", 3), (["--no-cache"], "network", 4),
      (["-H", "Accept-Language: de"], "network", 5), (["-H", "Accept-Language: de"], "disk", 5),
    ] as [([String], String, Int)] {
      let ended = try await room.run(["fetch", origin.url("/20.png"), "--json"] + arguments)
      let report = try ended.json()
      #expect(report["source"] as? String == source && ended.exit == 0, "\(arguments): \(ended)")
      #expect(report["status"] as? Int == 200, "\(arguments): \(ended)")
      #expect(origin.counters.requests == requests, "\(arguments)")
    }
    origin.stop()
    let offline = try await room.run("fetch", origin.url("/20.png"), "--offline")
    #expect(offline.exit == 0, "\(offline)")
  }

  @Test("a NUL in a URL is percent-encoded and does not truncate it")
  func nulInURL() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: [origin.url("/5.png\u{0}/rest")], as: "list")
    let ended = try await room.run("prefetch", "list", "--quiet", "--as", "bytes")
    #expect(ended.exit == 0, "\(ended)")
    #expect(origin.requestsByTarget == ["/5.png%00/rest": 1])
  }

  @Test func `an interruption has exit code 130`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let child = try room.start(["fetch", origin.url("/hangs"), "--json"])
    _ = await origin.counters { $0.inFlight == 1 }
    child.interrupt()
    let ended = try await child.end()
    #expect(ended.exit == 130 && ended.errorLines.count == 1, "\(ended)")
    #expect(try ended.errorKind() == "interrupted")
    #expect(ended.errors.contains("stopped by a signal; no result is written; the cache keeps"), "\(ended)")
    #expect(await origin.counters { $0.openConnections == 0 }.completed == 0)
  }

  @Test("an interrupted or broken transfer leaves its prefix and no lease")
  func leases() async throws {
    let origin = try TestOrigin { request in
      var response = OriginResponse(
        headers: ["etag": "\"a\"", "accept-ranges": "bytes"], body: [UInt8](repeating: 7, count: 60_000))
      response.ending = request.path == "/breaks" ? .closed(after: 30_000) : .hung(after: 30_000)
      return response
    }
    for (path, command) in [
      ("/breaks", "fetch"), ("/hangs", "fetch"), ("/breaks", "prefetch"), ("/hangs", "prefetch"),
    ] {
      let room = try Room()
      try room.write(lines: [origin.url(path)], as: "list")
      let child = try room.start([command, command == "fetch" ? origin.url(path) : "list", "--as", "bytes"])
      if path == "/hangs" {
        _ = await origin.counters { $0.inFlight == 1 && $0.openConnections == 1 }
        child.interrupt()
      }
      let ended = try await child.end()
      #expect(
        ended.exit == (path == "/hangs" ? 130 : command == "fetch" ? 1 : 2), "\(command) \(path): \(ended)")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: room.path("cache/cellophane"))) ?? []
      #expect(
        !names.contains { $0.contains("-lease-") || $0.contains("-tmp-") }, "\(command) \(path): \(names)")
      if path == "/breaks" { #expect(names.contains { $0.hasSuffix("p") }, "\(command): \(names)") }
    }
  }
}
