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
    let time = VirtualTime()
    let timeline = time.timeline()
    let files = MemoryFileSystem()
    let transport = ScriptedTransport(timeline: timeline) { request in
      let isNewer = request.headers["cache-control"] != nil
      return .init(
        after: .milliseconds(isNewer ? 9 : 10),
        .success(
          TransportResponse(
            status: isNewer ? status : 200,
            headers: ["Cache-Control": isNewer ? cacheControl : "max-age=9", "Vary": "User-Agent"], body: [1],
            url: request.url)))
    }
    let bytes = ByteLoader(
      transport: VaryingTransport(inner: transport),
      disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
      timeline: timeline)
    for (policy, start) in [(CachePolicy.standard, 0), (.reload, 1)] {
      timeline.spawn {
        try? await timeline.sleep(for: .milliseconds(start))
        _ = try? await bytes.load(Request("http://origin/a", options: 0, cachePolicy: policy))
      }
    }
    time.run()
    #expect(transport.counters.answered == 2)
    #expect(files.files.keys.allSatisfy { $0.contains("/cellophane-") })
    #expect(await bytes.activity == (0, 0, 0))
  }
}
