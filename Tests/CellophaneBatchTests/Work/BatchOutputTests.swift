internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

/// An output in memory, which fails for a URL that ends with `/full`.
private final class MemoryOutput: BatchOutput {
  private let items: Mutex<[Int: String]>
  let sharesFiles = true

  init(_ items: [Int: String] = [:]) { self.items = Mutex(items) }

  var kept: [Int: String] { items.withLock(\.self) }

  func claimName(of subject: OutputName.Subject) {}

  func location(of subject: OutputName.Subject) -> OutputLocation? {
    items.withLock { $0[subject.line] }.map { _ in OutputLocation(file: "memory/\(subject.line)") }
  }

  func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputLocation {
    guard !item.subject.url.hasSuffix("/full") else { throw LoadError(.io, "the disk is full") }
    items.withLock { $0[item.subject.line] = String(decoding: item.body.bytes, as: UTF8.self) }
    return OutputLocation(file: "memory/\(item.subject.line)")
  }

  func finish() {}
}

@Suite("The output of a batch")
struct BatchOutputTests {
  @Test func `existing output is fresh without a request, and a failed write fails only its record`() throws {
    let world = BatchWorld()
    world.origin.script("http://h/404", .missing)
    let output = MemoryOutput([2: "old"])
    let urls = ["http://h/1", "http://h/2", "http://h/full", "http://h/4", "http://h/1", "http://h/404"]
    let results = try world.results(of: urls, jobs: 1, output: output)
    #expect(results.map(\.outcome) == [.fetched, .fresh, .failed, .fetched, .duplicate, .failed])
    #expect(results.map(\.file) == ["memory/1", "memory/2", nil, "memory/4", "memory/1", nil])
    #expect(results.map { $0.failure?.stage } == [nil, nil, .output, nil, nil, .http])
    #expect(results.map(\.attempts) == [1, nil, 1, 1, nil, 1])
    #expect(output.kept == [1: "http://h/1", 2: "old", 4: "http://h/4"])
  }

  @Test
  func `a request has the same key with and without a disk cache, and none with credentials`()
    throws
  {
    let url = "http://h/1"
    let plain: ImageRequest = try Request(url, options: ImageOptions())
    let secret: ImageRequest = try Request(
      url, headers: ["authorization": "Basic x"], options: ImageOptions())
    let world = BatchWorld()
    let uncached = ByteLoader(transport: world.origin, disk: nil, timeline: world.timeline)
    #expect(world.bytes.cacheKey(of: plain) == world.bytes.requestKey(of: plain))
    #expect(
      uncached.cacheKey(of: plain) == nil
        && uncached.requestKey(of: plain) == world.bytes.requestKey(of: plain))
    #expect(world.bytes.requestKey(of: secret) == nil)
  }
}
