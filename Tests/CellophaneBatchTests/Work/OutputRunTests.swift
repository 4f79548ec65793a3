internal import Cellophane
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

/// Has what it was given, and no room for `full`.
private final class Shelf: BatchOutput {
  private let items: Mutex<[Int: String]>
  let needsKeys = false

  init(_ items: [Int: String] = [:]) { self.items = Mutex(items) }

  var kept: [Int: String] { items.withLock(\.self) }

  func location(of subject: OutputName.Subject) -> OutputLocation? {
    items.withLock { $0[subject.line] }.map { _ in OutputLocation(file: "shelf/\(subject.line)") }
  }

  func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputLocation {
    guard !item.subject.url.hasSuffix("/full") else { throw LoadError(.io, "the disk is full") }
    items.withLock { $0[item.subject.line] = String(decoding: item.body.bytes, as: UTF8.self) }
    return OutputLocation(file: "shelf/\(item.subject.line)")
  }

  func finish() {}
}

@Suite("What a batch writes")
struct OutputRunTests {
  @Test func `what is there is fresh and asked of nobody, and what cannot be written fails alone`() throws {
    let world = BatchWorld()
    let shelf = Shelf([2: "old"])
    let urls = ["http://h/1", "http://h/2", "http://h/full", "http://h/4", "http://h/1", "http://h/404"]
    let results = try world.results(of: urls, jobs: 1, output: shelf)
    #expect(results.map(\.outcome) == [.fetched, .fresh, .failed, .fetched, .duplicate, .failed])
    #expect(results.map(\.file) == ["shelf/1", "shelf/2", nil, "shelf/4", nil, nil])
    #expect(results.map { $0.failure?.stage } == [nil, nil, .output, nil, nil, .http])
    #expect(results.map(\.attempts) == [1, nil, 1, 1, nil, 1])
    #expect(shelf.kept == [1: "http://h/1", 2: "old", 4: "http://h/4"])
  }

  @Test
  func `a request is named by its key, with a disk cache or without, and one with credentials by its URL`()
    throws
  {
    let url = "http://h/1"
    let plain: ImageRequest = try Request(url, options: ImageOptions())
    let secret: ImageRequest = try Request(
      url, headers: ["authorization": "Basic x"], options: ImageOptions())
    let world = BatchWorld()
    let bare = ByteLoader(transport: world.transport, disk: nil, timeline: world.timeline)
    #expect(world.bytes.cacheKey(of: plain) == world.bytes.requestKey(of: plain))
    #expect(
      bare.cacheKey(of: plain) == nil && bare.requestKey(of: plain) == world.bytes.requestKey(of: plain))
    #expect(world.bytes.requestKey(of: secret) == nil)
  }
}
