@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Commit order, in virtual time")
struct CommitOrderTests {
  /// The loads begin in the order of their numbers. `results` is the order of their results, `kept` the committed ones.
  /// Each commit takes 10 ms.
  @Test(arguments: [
    ([0, 1, 2], [0, 1, 2]), ([1, 0, 2], [1, 2]), ([2, 1, 0], [2]), ([0, 2, 1], [0, 2]), ([1, 2, 0], [1, 2]),
  ])
  func `the result of the load that began last wins`(results: [Int], kept: [Int]) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let order = CommitOrder<String>()
    let (begun, ended) = (Shared<[Int]>([]), Shared<[Int]>([]))
    let numbers = results.indices.map { _ in order.begin("a") }
    for (index, load) in results.enumerated() {
      timeline.spawn {
        try? await timeline.sleep(for: .milliseconds(index))
        await order.commit("a", numbers[load]) {
          begun.update { $0.append(load) }
          try? await timeline.sleep(for: .milliseconds(10))
          ended.update { $0.append(load) }
          #expect(begun.value == ended.value)
        }
        order.end("a")
      }
    }
    time.run()
    #expect(ended.value == kept && order.count == 0)
  }

  /// A transport with a field that `Vary` names, so that a commit takes several steps.
  private struct VaryingTransport: Transport {
    let inner: ScriptedTransport
    var defaultHeaders: HeaderFields { ["user-agent": "a"] }

    func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
      try await inner.exchange(request)
    }
  }

  @Test(
    "an older result does not replace a newer response with no-store, 404 or 410",
    arguments: [("no-store", 200), ("max-age=9", 404), ("max-age=9", 410)])
  func onDisk(cacheControl: String, status: Int) async {
    let world = LoaderWorld(through: { VaryingTransport(inner: $0) })
    world.origin.script("http://origin/a") { request in
      let isNewer = request.headers["cache-control"] != nil
      let headers: HeaderFields = [
        "Cache-Control": isNewer ? cacheControl : "max-age=9", "Vary": "User-Agent",
      ]
      return .status(isNewer ? status : 200, headers, body: [1]).after(.milliseconds(isNewer ? 9 : 10))
    }
    for (policy, start) in [(CachePolicy.standard, 0), (.reload, 1)] {
      world.timeline.spawn {
        try? await world.timeline.sleep(for: .milliseconds(start))
        _ = try? await world.bytes.load(Request("http://origin/a", options: 0, cachePolicy: policy))
      }
    }
    world.time.run()
    #expect(world.origin.counters.answered == 2)
    // A newer failure is remembered on disk, and is no answer offline. The older response would be one.
    let kind = world.time.run { () async -> LoadError.Kind? in
      do throws(LoadError) {
        _ = try await world.bytes.load(Request("http://origin/a", options: 0, cachePolicy: .offline))
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind == .notCached)
    #expect(await world.isIdle())
  }
}
