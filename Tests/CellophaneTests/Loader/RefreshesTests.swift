@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Running refreshes")
struct RefreshesTests {
  @Test("callers that begin a refresh of one key before it ends share it")
  func onePerKey() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let refreshes = Refreshes<Int, String>()
    let begun = Shared<[String]>([])
    time.run {
      let all = [(1, "first"), (1, "second"), (2, "third")].map { key, name in
        refreshes.begin(key, on: timeline) {
          begun.update { $0.append(name) }
          try? await timeline.sleep(for: .seconds(1))
          return name
        }
      }
      #expect(all[0] === all[1])
      #expect(refreshes.count == 2)
      var values: [String?] = []
      for refresh in all { values.append(await refresh.value) }
      #expect(values == ["first", "first", "third"])
    }
    #expect(begun.value.sorted() == ["first", "third"])
    #expect(refreshes.count == 0)
  }
}
