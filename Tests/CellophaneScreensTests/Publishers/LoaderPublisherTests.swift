internal import TestSupport

#if Publishers
  internal import Cellophane
  internal import CellophanePublishers
  internal import CellophaneScreens
  internal import CellophaneTesting
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif
  internal import Testing

  @Suite("Publishers of a loader, a slot and a search, in virtual time")
  struct LoaderPublisherTests {
    private typealias LoadedProbe = Probe<Loaded<[UInt8]>, LoadError>

    private let world = LoaderWorld(cacheLimit: nil)
    private var time: VirtualTime { world.time }
    private var timeline: Timeline { world.timeline }
    private let loader: ResourceLoader<RawDecoder>

    init() {
      world.origin.script("*", .ok("ok").after(.milliseconds(30)))
      world.origin.script(
        "http://origin/bad", .init(after: .milliseconds(30), .failure(LoadError(.status, "no"))))
      loader = ResourceLoader(
        bytes: world.bytes, decoder: RawDecoder(), memory: MemoryCache(limit: 1 << 20))
    }

    private func request(_ name: String) throws -> Request<NoOptions> {
      try Request("http://origin/\(name)", options: NoOptions())
    }

    @Test("a load starts with the first demand; subscribers share it and cancel separately")
    func requests() throws {
      let publisher = loader.publisher(for: try request("a"))
      let probes = [LoadedProbe(), LoadedProbe(), LoadedProbe()]
      for probe in probes { publisher.subscribe(probe) }
      time.run()
      #expect(world.origin.counters.started == 0)
      for probe in probes { probe.request(.max(1)) }
      time.run(until: time.now.advanced(by: .milliseconds(10)))
      #expect(world.origin.running == 1)
      probes[0].cancel()
      time.run()
      #expect(world.origin.counters.started == 1 && world.origin.counters.cancelled == 0)
      #expect(probes.map(\.log.count) == [0, 2, 2] && probes[1].log.last == "finished")
    }

    @Test("cancelling the last subscription cancels the load; an error ends the publisher")
    func leaving() throws {
      let probe = LoadedProbe(demand: .unlimited)
      loader.publisher(for: try request("a")).subscribe(probe)
      time.run(until: time.now.advanced(by: .milliseconds(10)))
      probe.cancel()
      time.run()
      #expect(world.origin.counters.cancelled == 1 && world.origin.running == 0 && probe.log == [])
      let failing = LoadedProbe(demand: .max(1))
      loader.publisher(for: try request("bad")).subscribe(failing)
      time.run()
      #expect(failing.log == ["status: no"])
    }

    private static func text(_ state: SlotState<[UInt8]>) -> String {
      switch state {
      case .empty: "empty"
      case .loading: "loading"
      case .preview: "preview"
      case .shown(let bytes, _): String(decoding: bytes, as: UTF8.self)
      case .failed(let error, _): "\(error)"
      }
    }

    private actor Screen {
      private var published: PublishedSlot<RawDecoder>?
      let fast = Probe<String, Never>(demand: .unlimited, mayNest: true)
      let slow = Probe<String, Never>(demand: .max(1), mayNest: true)

      init(_ loader: ResourceLoader<RawDecoder>) { published = PublishedSlot(loader) }

      func subscribe() {
        published?.states.map { LoaderPublisherTests.text($0) }.subscribe(fast)
        published?.states.map { LoaderPublisherTests.text($0) }.subscribe(slow)
      }

      func show(_ request: Request<NoOptions>?) { published?.slot.show(request) }
      func requestMore() { slow.request(.max(1)) }
      func release() { published = nil }
    }

    @Test("a slot publishes its states until its release; a slow subscriber gets the newest")
    func slot() throws {
      let (a, bad) = (try request("a"), try request("bad"))
      let screen = Screen(loader)
      time.run {
        await screen.subscribe()
        await screen.show(bad)
        await time.quiescence()
        await screen.show(a)
        await time.quiescence()
        await screen.requestMore()
        await screen.show(nil)
        await screen.release()
      }
      #expect(screen.fast.log == ["empty", "loading", "status: no", "loading", "ok", "empty", "finished"])
      #expect(screen.slow.log == ["empty", "ok", "finished"])
      #expect(screen.fast.faults == [] && screen.slow.faults == [])
    }

    private struct Texts: PublishingSearchRepository {
      let requests: Shared<[String]>
      let cancelled: Shared<[String]>
      let timeline: Timeline

      func publisher(for text: String) -> AnyPublisher<[String], any Error> {
        TaskPublisher(on: timeline) { () async throws in
          requests.update { $0.append(text) }
          do {
            try await timeline.sleep(for: .milliseconds(100))
          } catch {
            cancelled.update { $0.append(text) }
            throw error
          }
          if text == "bad" { throw LoadError(.refused, "no") }
          return [text]
        }
        .filter { $0 != ["none"] }.eraseToAnyPublisher()
      }
    }

    @Test("a repository with publishers supplies a search")
    func repository() {
      let texts = Texts(requests: Shared([]), cancelled: Shared([]), timeline: timeline)
      let drawn = time.run {
        let screen = SearchScreen(texts, debounce: .milliseconds(10), timeline: timeline)
        var drawn: [String] = []
        for text in ["a", "ab", "bad", "none"] {
          await screen.take(.text(text))
          try? await timeline.sleep(for: .milliseconds(text == "a" ? 50 : 200))
          drawn.append(await screen.drawn)
        }
        return drawn
      }
      #expect(texts.requests.value == ["a", "ab", "bad", "none"] && texts.cancelled.value == ["a"])
      #expect(
        drawn?.first == "loading" && drawn?[1] == "results ab" && drawn?[2].hasPrefix("failed") == true)
      // A publisher that finishes without a value does not leave a search loading.
      #expect(drawn?.last?.hasPrefix("failed") == true && drawn?.last != drawn?[2], "\(drawn ?? [])")
    }

    @Test("the publisher of another repository starts one search per subscriber")
    func derived() {
      let repository = ScriptedRepository(timeline) { number in
        SearchAnswer(milliseconds: 10, outcome: number == 1 ? .failed : .found)
      }
      let publisher = repository.publisher(for: "a", on: timeline)
      let probes = (0..<3).map { _ in Probe<[String], any Error>(demand: .max(1)) }
      for probe in probes.dropLast() { publisher.subscribe(probe) }
      time.run()
      publisher.subscribe(probes[2])
      time.run(until: time.now.advanced(by: .milliseconds(5)))
      probes[2].cancel()
      time.run()
      #expect(probes.map(\.log) == [["[\"a 0\"]", "finished"], ["timeout: no 1"], []])
      #expect(repository.running.value == 0)
    }
  }
#endif
