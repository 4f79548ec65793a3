@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Sources of bytes, in virtual time")
struct SourceTests {
  /// A source whose numbers arrive after 10 ms, and which counts its calls.
  private struct Numbers: ResourceSource {
    let timeline: Timeline
    let calls = Shared<[String]>([])

    func bytes(of url: String) async throws(LoadError) -> [UInt8] {
      calls.update { $0.append(url) }
      try await timeline.pause(for: .milliseconds(10))
      guard let name = url.split(separator: ":").last, name != "none" else {
        throw LoadError(.invalidRequest, "there is no \(url)")
      }
      return Array(name.utf8)
    }
  }

  private let world = NumberWorld(LoaderWorld())

  private func load(_ request: Request<Int>) -> Shared<String> {
    let result = Shared("")
    world.timeline.spawn {
      do throws(LoadError) {
        let loaded = try await world.loader.load(request)
        result.value = "\(loaded.value) \(loaded.source)"
      } catch {
        result.value = error.kind.rawValue
      }
    }
    return result
  }

  @Test("loads of a source share one call and one value in memory, and nothing is written to disk")
  func coalescing() async throws {
    let source = Numbers(timeline: world.timeline)
    let request = try Request("asset:42", from: source, options: 2)
    let results = [load(request), load(request)]
    world.time.run()
    #expect(results.map(\.value) == ["84 network", "84 network"])
    #expect(source.calls.value == ["asset:42"])
    let again = load(request)
    world.time.run()
    #expect(again.value == "84 memory")
    let other = load(try Request("asset:42", from: source, options: 3))
    world.time.run()
    #expect(other.value == "126 network" && source.calls.value.count == 2)
    #expect(world.origin.counters.started == 0)
    #expect(world.files.entries.isEmpty)
    #expect(await world.isIdle())
  }

  @Test("a source may fail, and may be cancelled")
  func failures() async throws {
    let source = Numbers(timeline: world.timeline)
    let failed = load(try Request("asset:none", from: source, options: 1))
    world.time.run()
    #expect(failed.value == "invalid-request")
    let loader = world.loader
    let task = loader.task(for: try Request("asset:7", from: source, options: 1))
    world.base.advance(.milliseconds(5))
    task.cancel()
    let error = world.time.run { await Self.error(of: task) }
    #expect(error == .cancelled)
    #expect(await world.isIdle())
  }

  private static func error(of task: LoadTask<Int>) async -> LoadError? {
    do throws(LoadError) {
      _ = try await task.value
      return nil
    } catch { return error }
  }

  @Test("bytes in memory and data: URLs are decoded like others, also offline")
  func bytes() throws {
    let calls = Shared(0)
    let request = Request(id: "a", options: 1) { () throws(LoadError) in
      calls.update { $0 += 1 }
      return Array("12".utf8)
    }
    let results = [load(request), load(request)]
    let data = load(try Request("data:text/plain;base64,MTM=", options: 1, cachePolicy: .offline))
    world.time.run()
    #expect(results.map(\.value) == ["12 network", "12 network"] && calls.value == 1)
    #expect(data.value == "13 network")
    #expect(world.loader.cached(request) == 12)
  }

  @Test("query rules do not change the identifiers of sources")
  func queries() throws {
    let world = NumberWorld(LoaderWorld { $0.queryRules = [QueryRule(ignoring: ["v"])] })
    let values = world.time.run {
      var values: [Int?] = []
      for number in 1...2 {
        let request = Request(id: "a?v=\(number)", options: 1) { () throws(LoadError) in
          Array("\(number)".utf8)
        }
        values.append(try? await world.loader.load(request).value)
      }
      return values
    }
    #expect(values == [1, 2])
  }

  @Test("a source may wait for a load of the same loader", arguments: 1...3)
  func nesting(transfers: Int) throws {
    let world = NumberWorld(LoaderWorld { $0.transfers = transfers })
    world.origin.script("*", .ok("12"))
    let bytes = world.bytes
    let results = Shared<[Int]>([])
    for number in 0..<20 {
      let request = Request(id: "\(number)", options: 1) { () throws(LoadError) in
        try await bytes.load(Request("http://h/\(number)", options: NoOptions())).bytes
      }
      world.timeline.spawn {
        if let value = try? await world.loader.load(request).value { results.update { $0.append(value) } }
      }
    }
    world.time.run()
    #expect(results.value == Array(repeating: 12, count: 20))
  }

  @Test("the bytes of a source have a limit")
  func limit() {
    let request = Request(id: "large", options: 1) { () throws(LoadError) in
      Array(repeating: 49, count: 51 << 20)
    }
    let result = load(request)
    world.time.run()
    #expect(result.value == "body-too-large")
  }

  @Test("no redirect leads to a source or to a data: URL", arguments: ["data:,1", "asset:1", "memory:a"])
  func redirects(target: String) throws {
    world.origin.script("*", .status(302, ["location": target]))
    let result = load(try Request("http://h/a", options: 1))
    world.time.run()
    #expect(result.value == "refused" || result.value == "malformed-response" || result.value == "status")
  }
}
