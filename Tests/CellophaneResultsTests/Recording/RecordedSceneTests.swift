internal import Cellophane
internal import Testing

@testable internal import CellophaneResults

@Suite struct RecordedSceneTests {
  /// The part of the bounds within the viewport equals the visible area that the layout computes.
  @Test(arguments: ListKind.allCases)
  func `the bounds of an image match the layout of the list`(kind: ListKind) throws {
    var configuration = SimulationConfiguration()
    configuration.list.layout = kind
    configuration.list.rows = 200
    let layout = try configuration.checkedLayout()
    let scene = RecordedScene(
      [ScreenOrientation(layout, ScrollTrajectory(limit: 0))], urls: [], refreshRate: 60,
      duration: .seconds(1))
    for offset in stride(from: 0, to: layout.longestOffset, by: 311) {
      for row in 0..<layout.rows {
        let bounds = scene.bounds(of: row)
        let top = max(Double(bounds.top), offset)
        let bottom = min(Double(bounds.top + bounds.height), offset + Double(layout.viewport.height))
        let visible = max(0, bottom - top) * Double(bounds.width)
        // Bounds are rounded to whole pixels, so they may differ by one row of pixels.
        #expect(
          abs(visible - layout.visibleArea(of: row, at: offset)) <= Double(bounds.width),
          "row \(row) of \(kind) at \(offset)")
      }
    }
    for row in 0..<layout.rows - 1 {
      let (bounds, next) = (scene.bounds(of: row), scene.bounds(of: row + 1))
      #expect(bounds.left >= 0 && bounds.left + bounds.width <= layout.viewport.width)
      #expect(next.left >= bounds.left + bounds.width || next.top >= bounds.top + bounds.height)
    }
  }
}
