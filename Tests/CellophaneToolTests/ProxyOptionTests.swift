internal import CellophaneTestOrigin
internal import Testing

/// The name `nowhere.invalid` is reachable only through a proxy.
@Suite("--proxy and --user-agent", .timeLimit(.minutes(5)))
struct ProxyOptionTests {
  private static let url = "http://nowhere.invalid/x"

  private func proxy() throws -> RawOrigin {
    try RawOrigin { _ in
      [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")]
    }
  }

  @Test func `requests use the proxy, and its password is not shown`() async throws {
    let room = try Room()
    let proxy = try proxy()
    defer { proxy.stop() }
    let proxyURL = "http://me:secret@127.0.0.1:\(proxy.port)"
    for arguments in [
      ["fetch", Self.url, "--json"], ["prefetch", Self.url + "?2", "--json"],
      ["prefetch", Self.url + "?3", "--jsonl", "-"],
    ] {
      // The environment of a room excludes all hosts from proxies; --proxy takes precedence.
      let ended = try await room.run(
        arguments + ["--as", "bytes", "--proxy", proxyURL, "--user-agent", "crawler (mail@example)"])
      #expect(ended.exit == 0 && !"\(ended)".contains("secret"), "\(arguments): \(ended)")
    }
    let heads = proxy.counters.heads
    #expect(heads.count == 3)
    for head in heads {
      #expect(head.hasPrefix("GET http://nowhere.invalid/x") && head.contains("Basic bWU6c2VjcmV0\r\n"))
      #expect(head.contains("User-Agent: crawler (mail@example)\r\n"))
    }
    proxy.stop()
    let failed = try await room.run(
      "prefetch", Self.url + "?4", "--as", "bytes", "--proxy", proxyURL, "--jsonl", "-", "--timeout", "0.2")
    #expect(failed.exit == 2 && failed.text.contains("the proxy refused the connection"), "\(failed)")
    #expect(!"\(failed)".contains("secret"))
  }

  @Test func `the user agent is the name and version of the tool unless an option sets another`() async throws
  {
    let room = try Room()
    let origin = try RawOrigin { _ in
      [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")]
    }
    defer { origin.stop() }
    let version = try await room.run("--version").text.split(separator: "\n")[0]
    for (arguments, expected) in [
      ([], "User-Agent: cellophane/\(version)"), (["-A", "me/1"], "User-Agent: me/1"),
      (["-A", "me/1", "-H", "User-Agent: him/2"], "user-agent: him/2"), (["-A", ""], nil),
    ] as [([String], String?)] {
      let before = origin.counters.heads.count
      let ended = try await room.run(["fetch", origin.url("/"), "--as", "bytes", "--no-cache"] + arguments)
      #expect(ended.exit == 0, "\(ended)")
      let lines = origin.counters.heads[before].split(separator: "\r\n")
      #expect(
        lines.filter { $0.lowercased().hasPrefix("user-agent") }.map(String.init)
          == (expected.map { [$0] } ?? [])
      )
    }
  }

  @Test func `the proxy of the environment is used unless --proxy, no_proxy or --deny-private excludes it`()
    async throws
  {
    let room = try Room()
    let proxy = try proxy()
    defer { proxy.stop() }
    for (environment, arguments, isUsed) in [
      ("no_proxy= http_proxy", "", true), ("no_proxy= all_proxy", "", true),
      ("no_proxy=nowhere.invalid http_proxy", "", false),
      ("no_proxy= http_proxy", "--proxy ''", false), ("no_proxy= http_proxy", "--deny-private", false),
    ] {
      let before = proxy.counters.connections
      let ended = try await room.shell(
        "\(environment)=http://127.0.0.1:\(proxy.port) cellophane fetch \(Self.url) --as bytes --no-cache"
          + " --timeout 2 \(arguments)")
      #expect((ended.exit == 0) == isUsed, "\(environment) \(arguments): \(ended)")
      #expect((proxy.counters.connections > before) == isUsed, "\(environment) \(arguments)")
    }
  }

  @Test func `the error about an invalid proxy names the environment, not the origin`() async throws {
    let urls = (0..<6).map { Self.url + "?\($0)" }
    let ended = try await Room().shell(
      "no_proxy= http_proxy=ftp://me:secret@127.0.0.1:1 cellophane prefetch \(urls.joined(separator: " "))"
        + " --no-cache --jsonl - --quiet")
    let lines = ended.text.split(separator: "\n").filter { $0.contains("the environment names a proxy") }
    #expect(ended.exit == 2 && lines.count == urls.count, "\(ended)")
    #expect(!ended.text.contains("attempts") && !"\(ended)".contains("secret"), "\(ended)")
  }

  @Test func `an invalid proxy is refused, and the error does not repeat it`() async throws {
    let room = try Room()
    for arguments in [
      ["--proxy", "ftp://me:secret@h"], ["--proxy", "http://me:sec ret@h"],
      ["--proxy", "http://me:secret@h", "--deny-private"], ["--user-agent", "a\r\nX: secret"],
    ] {
      let ended = try await room.run(["fetch", Self.url] + arguments)
      #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(arguments): \(ended)")
      #expect(!"\(ended)".contains("secret") && !"\(ended)".contains("sec ret"), "\(ended)")
    }
  }
}
