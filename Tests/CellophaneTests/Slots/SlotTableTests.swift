@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// An index path.
struct IndexPath: Hashable, Sendable {
  let section: Int
  let row: Int
}

extension SlotTable<IndexPath, NumberDecoder>.Change {
  fileprivate var text: String { "\(key.section).\(key.row) \(state.text)" }
}

actor TableScreen {
  private var table: SlotTable<IndexPath, NumberDecoder>?
  /// The changes passed to the display.
  nonisolated let displayed = Shared<[String]>([])

  init(_ world: NumberWorld) {
    table = SlotTable(world.loader) { [displayed] change in displayed.update { $0.append(change.text) } }
  }

  func changes() -> AsyncStream<SlotTable<IndexPath, NumberDecoder>.Change>? { table?.changes() }
  func show(_ request: NumberRequest?, section: Int, row: Int) {
    table?.show(request, for: IndexPath(section: section, row: row))
  }
  func state(section: Int, row: Int) -> String? { table?[IndexPath(section: section, row: row)].text }
  func removeAll() { table?.removeAll() }
  func close() { table = nil }
  var count: Int { table?.count ?? 0 }
}

@Suite("Slots by key, in virtual time")
struct SlotTableTests {
  @Test(
    "each change is reported in order with its section and row, and the stream ends with the table")
  func table() {
    let world = NumberWorld()
    let screen = TableScreen(world)
    let reported = Shared<[String]>([])
    world.timeline.spawn {
      guard let changes = await screen.changes() else { return }
      for await change in changes {
        reported.update { $0.append(change.text) }
      }
      reported.update { $0.append("end") }
    }
    world.timeline.spawn {
      await screen.show(NumberRequest(1), section: 0, row: 1)
      await screen.show(NumberRequest(2), section: 1, row: 1)
      try? await world.timeline.sleep(for: .milliseconds(50))
      #expect(await screen.state(section: 1, row: 1) == "2 from network")
      #expect(await screen.state(section: 9, row: 9) == "empty")
      await screen.show(nil, section: 0, row: 1)
      #expect(await screen.count == 1)
      await screen.removeAll()
      await screen.close()
    }
    world.time.run()
    #expect(
      reported.value == [
        "0.1 loading", "1.1 loading", "0.1 1 from network", "1.1 2 from network", "0.1 empty", "1.1 empty",
        "end",
      ])
    #expect(screen.displayed.value == reported.value.dropLast())
  }
}
