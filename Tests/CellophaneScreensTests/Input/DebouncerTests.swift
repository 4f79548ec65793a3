internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Testing

@Suite("A debouncer, in virtual time")
struct DebouncerTests {
  private actor Field {
    private var debouncer: Debouncer?
    private let timeline: Timeline
    private(set) var log: [String] = []

    init(_ timeline: Timeline) {
      self.timeline = timeline
      debouncer = Debouncer(for: .milliseconds(300), timeline: timeline)
    }

    var isPending: Bool { debouncer?.isPending ?? false }

    func type(_ text: String) {
      debouncer?.schedule { [timeline] in
        self.log.append("\(text)@\(Int((timeline.now / .milliseconds(1)).rounded()))")
      }
    }

    func flush() { debouncer?.flush() }
    func cancel() { debouncer?.cancel() }
    func release() { debouncer = nil }
  }

  private func log(_ body: @escaping @Sendable (Field, (Int) async -> Void) async -> Void) -> [String]? {
    let time = VirtualTime()
    return time.run {
      let field = Field(time.timeline())
      await body(field) { try? await time.timeline().sleep(for: .milliseconds($0)) }
      await time.quiescence()
      #expect(await !field.isPending)
      return await field.log
    }
  }

  @Test("actions in quick succession cause one call, an interval after the last")
  func typing() {
    let log = log { field, pause in
      for text in ["H", "He", "Hel"] {
        await field.type(text)
        await pause(100)
      }
    }
    #expect(log == ["Hel@500"])
  }

  @Test("flush runs a pending action once, and cancel drops it; without one, both do nothing")
  func flushing() {
    let log = log { field, pause in
      await field.flush()
      await field.type("a")
      await pause(100)
      await field.flush()
      await field.flush()
      await field.type("b")
      await pause(299)
      await field.cancel()
      await field.cancel()
      await field.type("c")
      await pause(301)
      await field.type("d")
    }
    #expect(log == ["a@100", "c@699", "d@1000"])
  }

  @Test("releasing the debouncer drops the pending action")
  func release() {
    let log = log { field, pause in
      await field.type("a")
      await pause(100)
      await field.release()
    }
    #expect(log == [])
  }
}
