internal import Cellophane
internal import CellophaneBrowser
internal import CellophaneScreens
internal import CellophaneResults
internal import CellophaneSimulation
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Dispatch
internal import Synchronization
internal import Testing

@testable internal import CellophaneTool

@Suite("Sources of items")
struct ItemSourceTests {
  private static func list(
    _ lines: [String], mark: String = "", check: @escaping ListedItems.Check = { _ in }
  ) throws(LoadError) -> ListedItems {
    try ListedItems(Array((mark + lines.joined(separator: "\n")).utf8), check: check)
  }

  @Test("the lines of a list are items, in sections by host and folder")
  func listed() async throws {
    let list = try Self.list([
      "http://a.example/birds/1.png", "", "  http://a.example/birds/2.png?size=\u{1B}[31m\t\r",
      "http://b.example/row/17.jpg",
      "http://b.example", "no url",
    ])
    let found = try await list.items(matching: "", page: 1)
    #expect(found.items.map(\.title) == ["1.png", "2.png", "17.jpg", "b.example", "no url"])
    #expect(
      found.items.map(\.section) == ["a.example/birds", "a.example/birds", "b.example/row", nil, nil])
    #expect(found.items.map(\.number) == [nil, nil, 17, nil, nil] && found.next == nil && found.total == 5)
    #expect(found.items[1].url == "http://a.example/birds/2.png?size=\u{1B}[31m")
    #expect(try await list.items(matching: "BIRDS 2", page: 1).items.map(\.title) == ["2.png"])
    #expect(try await list.items(matching: "nothing", page: 1).items.isEmpty)
  }

  @Test(
    "an invalid line is an item with an error and its line number, and a byte order mark is ignored")
  func defects() async throws {
    let list = try Self.list(
      ["http://a/a b.png", "", "no url", "http://a/2.png"], mark: "\u{FEFF}"
    ) { url throws(LoadError) in
      _ = try Request(url, options: NoOptions())
    }
    let items = try await list.items(matching: "", page: 1).items
    #expect(items.map(\.url) == ["http://a/a b.png", "no url", "http://a/2.png"])
    #expect(items.map { $0.defect == nil } == [true, false, true])
    #expect(items[1].defect?.hasPrefix("line 3: not an absolute URL: 'no url'") == true)
    let latin = try ListedItems(Array("http://a/".utf8) + [0xE4], check: { _ in })
    #expect(
      try await latin.items(matching: "", page: 1).items[0].defect?.hasPrefix("line 1: the line is not UTF-8")
        == true)
  }

  @Test("a password is never shown, and any other @ is")
  func passwords() async throws {
    let list = try Self.list([
      "http://user:secret@example.com", "user:secret@example.com", "https://user:secret@/a/b.png",
      "http://a/mail/bob@x.org", "http://a/pkg@1.0/logo@2x.png?@",
    ]) { url throws(LoadError) in
      _ = try Request(url, options: NoOptions())
    }
    let items = try await list.items(matching: "", page: 1).items
    let shown = items.map { [$0.title, $0.section ?? "", BrowseItem.shown($0.url), $0.defect ?? ""] }
    #expect(!shown.joined().contains { $0.contains("secret") })
    #expect(items.map { $0.defect == nil } == [false, false, false, true, true])
    #expect(items[3...].map(\.title) == ["bob@x.org", "logo@2x.png"])
    #expect(items[4].section == "a/pkg@1.0")
    #expect(BrowseItem.shown(items[4].url) == "http://a/pkg@1.0/logo@2x.png?@")
  }

  @Test("a compressed or empty list is refused, and the error names the command for browse")
  func invalidLists() throws {
    let room = try Room()
    try room.write([0x1F, 0x8B, 0, 0], as: "packed")
    try room.write([], as: "empty")
    for (name, message) in [
      (
        "packed",
        "cannot read the list '\(room.path("packed"))': it is compressed; pipe it: gzip -dc LIST | cellophane browse -"
      ),
      ("empty", "the list '\(room.path("empty"))' has no URL"),
    ] {
      let error = #expect(throws: LoadError.self) { try ListedItems(contentsOf: room.path(name)) { _ in } }
      #expect(error?.message == message)
    }
  }

  @Test("a long list has several pages")
  func pages() async throws {
    let list = try Self.list((0..<12_000).map { "http://a/\($0)" })
    for query in ["", "http", "A/"] {
      let pages = try await [1, 2, 3, 4].asyncMap { try await list.items(matching: query, page: $0) }
      #expect(pages.map(\.items.count) == [5_000, 5_000, 2_000, 0] && pages.map(\.next) == [2, 3, nil, nil])
      #expect(pages.flatMap { $0.items.map(\.title) } == (0..<12_000).map { "\($0)" })
    }
    let some = try await list.items(matching: "a/1199", page: 1)
    #expect(some.items.map(\.title) == ["1199"] + (11_990..<12_000).map { "\($0)" } && some.total == 11)
  }

  /// A key that identifies the queue of the main actor, because its thread varies on Linux.
  private nonisolated static let mainQueueKey = DispatchSpecificKey<Bool>()

  @Test("a list is searched outside of the main actor, until the search is cancelled")
  @MainActor
  func background() async throws {
    DispatchQueue.main.setSpecific(key: Self.mainQueueKey, value: true)
    let queues = CallLog()
    let list = try Self.list(["http://a/1", "http://a/2"]) { url in
      queues.note(DispatchQueue.getSpecific(key: Self.mainQueueKey) == true ? "main" : "other")
    }
    #expect(try await list.items(matching: "2", page: 1).total == 1)
    #expect(queues.value == ["other"])
    let search = Timeline().spawn { @MainActor in
      await #expect(throws: CancellationError.self) { try await list.items(matching: "2", page: 1) }
    }
    search.cancel()
    await search.value
  }

  @Test("an origin provides the pages of a search, and its control characters are removed")
  func origin() async throws {
    let requests = CallLog()
    let origin = try TestOrigin { request in
      requests.note("\(request.path)?\(request.query ?? "")")
      let body = """
        {"query":"x","page":2,"pages":3,"total":41,"items":[
        {"row":7,"title":"a\\u001b[2Jb","section":"s\\u0007","picture":"/row/7.png"},
        {"row":8,"title":"c","section":"s","picture":"http://elsewhere/8.png"}]}
        """
      return OriginResponse(headers: ["content-type": "application/json"], body: Array(body.utf8))
    }
    let base = origin.url("")
    let items = OriginItems(
      base: base, delay: 20, fail: 0.5,
      loader: ResourceLoader(bytes: ByteLoader(transport: CurlTransport()), decoder: JSONResourceDecoder()))
    let found = try await items.items(matching: "ä &x", page: 2)
    #expect(requests.value == ["/items?q=%C3%A4%20%26x&page=2&per_page=20&delay=20&fail=0.5"])
    #expect(found.items.map(\.title) == ["a [2Jb", "c"] && found.items.map(\.section) == ["s ", "s"])
    #expect(found.items.map(\.url) == [base + "/row/7.png", "http://elsewhere/8.png"])
    #expect(found.next == 3 && found.total == 41 && found.items.map(\.number) == [7, 8])
  }
}

extension ItemSourceTests {
  @Test("the error for an origin without items names the lists that browse shows")
  func noItems() async throws {
    let origin = try TestOrigin { request in
      request.path == "/none/items"
        ? OriginResponse(status: 404) : OriginResponse(body: Array("<html></html>".utf8))
    }
    for (path, reason, kind) in [
      ("/none", "answered 404", LoadError.Kind.status), ("", "has no items as JSON", .corrupt),
    ] {
      let items = OriginItems(
        base: origin.url(path), delay: nil, fail: nil,
        loader: ResourceLoader(bytes: ByteLoader(transport: CurlTransport()), decoder: JSONResourceDecoder()))
      let error = await #expect(throws: LoadError.self) { try await items.items(matching: "", page: 1) }
      #expect(error?.kind == kind && error?.isRetryable == false)
      #expect(error?.message == "\(origin.url(path))/items \(reason) (for images, browse a list)")
    }
  }
}

/// A log of calls, in order.
private final class CallLog: Sendable {
  private let list = Mutex<[String]>([])
  var value: [String] { list.withLock { $0 } }
  func note(_ text: String) { list.withLock { $0.append(text) } }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
