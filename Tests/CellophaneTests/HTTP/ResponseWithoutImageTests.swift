@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Responses without an image")
struct ResponseWithoutImageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var status: Int
    /// The number of bytes of the image that arrive; nil for all.
    var count: Int?
    var kind: LoadError.Kind
    var testDescription: String { "\(status), \(count.map(String.init) ?? "all") bytes" }
  }

  @Test("a 204 is an error, and answers from disk until it is stale")
  func noContent() throws {
    let world = LoaderWorld()
    world.origin.script("http://origin/a", .status(204, ["cache-control": "max-age=60"], body: []))
    let loader = ImageLoader(bytes: world.bytes, decoder: ImageDecoder())
    let request = try ImageRequest("http://origin/a")
    for (wait, requests) in [(0, 1), (1, 1), (60, 2)] {
      let kind = world.time.run { () -> LoadError.Kind? in
        try? await world.timeline.sleep(for: .seconds(wait))
        do throws(LoadError) { _ = try await loader.load(request) } catch { return error.kind }
        return nil
      }
      #expect(kind == .truncated && world.origin.requests.count == requests)
    }
  }

  @Test(
    "a response without a complete image is an error and never cached, even if it is fresh",
    arguments: [
      Row(status: 200, count: 0, kind: .truncated), Row(status: 205, count: 0, kind: .truncated),
      Row(status: 206, kind: .malformedResponse),
      Row(status: 206, count: 0, kind: .malformedResponse), Row(status: 200, count: 20, kind: .truncated),
      Row(status: 304, kind: .malformedResponse),
    ])
  func error(row: Row) throws {
    let image = PictureFixture.png[0]
    let fresh: HeaderFields = ["cache-control": "max-age=60"]
    let body = Array(image.bytes.prefix(row.count ?? .max))
    let world = LoaderWorld()
    world.origin.script("http://origin/a", .status(row.status, fresh, body: body))
    let loader = ImageLoader(bytes: world.bytes, decoder: ImageDecoder())
    let request = try ImageRequest("http://origin/a")
    func load() -> Result<Loaded<Image>, LoadError>? {
      world.time.run {
        do throws(LoadError) { return .success(try await loader.load(request)) } catch {
          return .failure(error)
        }
      }
    }
    for _ in 0..<2 {
      guard case .failure(let error) = load() else {
        Issue.record("no error")
        return
      }
      #expect(error.kind == row.kind && !error.isRetryable, "\(error)")
      #expect(loader.memory.count == 0 && !world.files.files.keys.contains { !$0.contains("/cellophane-") })
    }
    #expect(world.origin.requests.count == 2)
    world.origin.script("http://origin/a", .status(200, fresh, body: image.bytes))
    let loaded = try load()?.get()
    #expect(loaded?.source == .network && loaded?.value.width == image.size.width)
    #expect(loader.memory.count == 1)
  }
}
