@testable internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Errors and events name only the origin of a redirect's target", .timeLimit(.minutes(1)))
struct SecretTargetTests {
  /// The steps of the target's origin, and the kind of the error to which they lead.
  static let answers: [([RawOrigin.Step], LoadError.Kind)] = [
    ([.send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")], .status),
    ([.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")], .status),
    ([.send("HTTP/1.1 206 Part\r\nContent-Length: 1\r\n\r\na")], .malformedResponse),
    ([.send("HTTP/1.1 304 Same\r\n\r\n")], .malformedResponse),
    ([.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na")], .connectionLost),
    ([.send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\na")], .malformedResponse),
    ([.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")], .bodyTooLarge),
    ([.send("HTTP/1.1 302 On\r\nLocation: ftp://h/?secret\r\nContent-Length: 0\r\n\r\n")], .refused),
    (
      [.send("HTTP/1.1 302 On\r\nLocation: http://user:secret@h/?secret\r\nContent-Length: 0\r\n\r\n")],
      .malformedResponse
    ),
    (
      [.send("HTTP/1.1 302 On\r\nLocation: http://127.0.0.1:1/secret?secret\r\nContent-Length: 0\r\n\r\n")],
      .connect
    ),
    ([.reset], .connectionLost), ([.hold], .timeout), ([.cut], .connectionLost),
  ]

  @Test(
    "no error, event or description contains the path or the query of the target", arguments: answers.indices,
    [false, true])
  func secrets(index: Int, hasDisk: Bool) async throws {
    let (steps, kind) = Self.answers[index]
    let target = try RawOrigin { _ in [.read] + steps }
    defer { target.stop() }
    let location = target.url("/secret/path?token=secret#secret")
    let origin = try RawOrigin { _ in
      [.read, .send("HTTP/1.1 302 On\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")]
    }
    defer { origin.stop() }
    var configuration = ByteLoader.Configuration()
    configuration.retry.retries = 1
    configuration.retry.firstDelay = .milliseconds(1)
    configuration.limits.total = .seconds(kind == .timeout ? 0.3 : 20)
    let transport = CurlTransport()
    let disk = hasDisk ? DiskCache(directory: "/cache", fileSystem: MemoryFileSystem()) : nil
    let loader = ByteLoader(transport: transport, disk: disk, configuration: configuration)
    let events = Shared<[String]>([])
    // The stream receives all events from here on.
    let stream = loader.events.events()
    let listener = loader.timeline.spawn {
      for await event in stream { events.update { $0.append("\(event)") } }
    }
    let error = await #expect(throws: LoadError.self) {
      try await loader.load(try Request(origin.url("/a?own=1"), options: 0))
    }
    await transport.close()
    listener.cancel()
    await listener.value
    #expect(error?.kind == kind, "\(error.map { "\($0)" } ?? "")")
    let texts = events.value + [error.map { String(reflecting: $0) } ?? "", error?.message ?? ""]
    #expect(events.value.count >= 2)
    for text in texts { #expect(!text.contains("secret") && !text.contains("token"), "\(text)") }
    // The error names the requested URL and the origin that refused it.
    if kind == .status {
      let beginning = "\(origin.url("/a?own=1")) redirects to \(target.url("")), which answered "
      #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
    }
  }
}
