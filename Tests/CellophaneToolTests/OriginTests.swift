internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Synchronization
internal import Testing

@Suite("origin and simulate", .timeLimit(.minutes(5)))
struct OriginTests {
  @Test func `origin serves its list until Ctrl-C`() async throws {
    let room = try Room()
    let child = try room.start(["origin", "--port", "0", "--rows", "3", "--source", "32x32"])
    let line = await child.firstLine()
    let base = String(line.prefix { $0 != " " })
    let fetched = try await room.run("fetch", base + "/list.txt", "--as", "bytes", "--output", "list")
    #expect(fetched.exit == 0, "\(fetched)")
    #expect(
      try room.bytes(of: "list")
        == Array((0..<3).map { "\(base)/row/\($0).\($0 == 1 ? "jpg" : "png")\n" }.joined().utf8))
    let found = try await room.run("fetch", base + "/items?q=amber", "--as", "bytes", "--output", "items")
    #expect(found.exit == 0, "\(found)")
    #expect(try object(room.bytes(of: "items"))["total"] as? Int == 1)
    let prefetched = try await room.run("prefetch", "list", "--json")
    #expect(try prefetched.exit == 0 && prefetched.json()["fetched"] as? Int == 3, "\(prefetched)")
    child.interrupt()
    let ended = try await child.end()
    #expect(ended.exit == 0 && ended.errors.contains("5 requests on "), "\(ended)")
    #expect(ended.errorLines.first?.hasPrefix("list: \(base)/list.txt") == true, "\(ended)")
  }

  @Test func `a port in use is an error`() async throws {
    let other = try TestOrigin { _ in OriginResponse() }
    let ended = try await Room().run("origin", "--port", "\(other.port)", "--rows", "1", "--source", "16x16")
    #expect(ended.exit == 1 && ended.errorLines.last?.hasPrefix("cellophane: io: ") == true, "\(ended)")
    // The port is opened before anything else.
    #expect(ended.errorLines.count == 1, "\(ended)")
  }

  @Test("errors about the network do not offer a loss, and the error about the image size has its limits")
  func wrongOptions() async throws {
    let room = try Room()
    let forms = ["nothing": "your own: down=KBIT_S,up=KBIT_S,rtt=MS", "loss=": "sets none of down, up, rtt;"]
    for (network, form) in forms {
      let ended = try await room.run("origin", "--network", network)
      #expect(ended.exit == 64 && ended.errors.contains(form), "\(ended)")
      #expect(!ended.errors.contains("rtt, loss") && !ended.errors.contains("loss=SHARE"), "\(ended)")
    }
    let size = try await room.run("origin", "--source", "0x0")
    #expect(size.exit == 64 && size.errors.contains("; from 16 to 2048 (see"), "\(size)")
  }

  @Test("origin answers before all of its images exist")
  func early() async throws {
    let room = try Room()
    // Ten thousand images take a minute.
    let child = try room.start(["origin", "--port", "0", "--rows", "10000"])
    let base = String(await child.firstLine().prefix { $0 != " " })
    let fetched = try await room.run("fetch", base + "/row/9999.jpg", "--json")
    #expect(
      try fetched.exit == 0 && (fetched.json()["image"] as? [String: Any])?["width"] as? Int == 320,
      "\(fetched)")
    child.interrupt()
    let ended = try await child.end()
    #expect(ended.exit == 0 && ended.errors.contains("1 request on 1 connection: 1 completed"), "\(ended)")
  }

  private static let short = [
    "simulate", "--time", "real", "--duration", "1", "--network", "unlimited", "--source", "64x64",
  ]
  /// The arguments for a short run with listed images over the real network.
  private static let listed = ["simulate", "--time", "real", "--duration", "1", "--urls"]

  @Test func `a simulation writes its result`() async throws {
    let room = try Room()
    let ended = try await room.run(Self.short + ["--rows", "60", "--json", "result.json"])
    #expect(ended.exit == 0 && ended.text.contains("naive"), "\(ended)")
    let result = try object(room.bytes(of: "result.json"))
    #expect((result["schema"] as? String)?.hasPrefix("cellophane.simulate/") == true, "\(result.keys)")
    let piped = try await room.run(Self.short + ["--rows", "5", "--json", "-", "--quiet"])
    #expect(try piped.exit == 0 && piped.errors.isEmpty && piped.json()["schema"] != nil, "\(piped)")
  }

  @Test func `a simulation loads the images of a list`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: (1...40).map { origin.url("/\($0 + 10).png") }, as: "urls")
    let ended = try await room.run(Self.listed + ["urls"])
    #expect(ended.exit == 0, "\(ended)")
    #expect(origin.counters.requests > 0)
  }

  @Test("a simulation without a displayed image fails; images that change with each load are accepted")
  func changingImages() async throws {
    let room = try Room()
    let served = Atomic(0)
    let origin = try TestOrigin { request in
      guard request.path.hasSuffix(".png") else { return OriginResponse(status: 404) }
      let width = 10 + served.wrappingAdd(1, ordering: .relaxed).newValue
      let body = try? testImage(width, 8).encoded(as: .png)
      return OriginResponse(headers: ["cache-control": "no-store"], body: body ?? [])
    }
    for (suffix, exit) in [("", 1), (".png", 0)] as [(String, Int32)] {
      try room.write(lines: (1...10).map { origin.url("/\($0)\(suffix)") }, as: "urls")
      let ended = try await room.run(Self.listed + ["urls", "--json", "result.json"])
      #expect(ended.exit == exit, "\(suffix): \(ended)")
      let metrics = try object(room.bytes(of: "result.json"))["metrics"] as? [String: Any]
      #expect(metrics != nil, "\(ended)")
    }
  }

  @Test("an invalid list of --urls is refused in one line before the run")
  func badURLs() async throws {
    let room = try Room()
    try room.write(lines: ["http://127.0.0.1:1/a", "no url"], as: "bad")
    try room.write(lines: ["file:///etc/hostname"], as: "file")
    try room.write([], as: "empty")
    for (list, exit) in [("missing", 1), (room.path, 1), ("bad", 64), ("empty", 64)] as [(String, Int32)] {
      let ended = try await room.run(Self.listed + [list, "--quiet"])
      #expect(ended.exit == exit && ended.errorLines.count == 1 && ended.output.isEmpty, "\(list): \(ended)")
    }
    let unwritable = try await room.run(
      Self.short + ["--quiet", "--rows", "5", "--json", "none/result.json"])
    #expect(
      unwritable.exit == 1
        && unwritable.errors
          == "cellophane: io: cannot write none/result.json: the directory none does not exist; create it\n",
      "\(unwritable)")
  }
}
