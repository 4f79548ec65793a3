import Cellophane
import CellophaneNetwork
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import TestSupport

/// The distance of the oracle from the best schedule of whole images.
@Suite(.thorough) struct OracleExactnessTests {
  @Test func `in small cases, the bound is at least the exact optimum, and close to it`() {
    var (gaps, areas) = (0.0, 0.0)
    for seed in 1...60 as ClosedRange<UInt64> {
      let instance = SmallInstance(seed: seed)
      let (area, exact) = (instance.area, instance.exactMaxShownArea)
      let bound = Oracle.maxShownArea(
        of: instance.pictures, area: area, deliverable: instance.deliverable)
      #expect(bound >= exact - 1e-9, "seed \(seed)")
      #expect(bound <= exact + 0.15 * area, "seed \(seed)")
      (gaps, areas) = (gaps + bound - exact, areas + area)
    }
    // An image of these cases often takes all bytes of the run, so that the relaxation loses more than in a list.
    #expect(gaps <= 0.02 * areas, "\(gaps / areas)")
  }

  /// Returns the area that is shown if the images are loaded one after the other, in the order of `ends`.
  private func shownArea(_ pictures: [Oracle.Picture], _ ends: [Int?], deliverable: [Double]) -> Double {
    let order = ends.indices.filter { ends[$0] != nil }.sorted { (ends[$0] ?? 0, $0) < (ends[$1] ?? 0, $1) }
    var (bytes, slice, area) = (0.0, 0, 0.0)
    for picture in order.map({ pictures[$0] }) {
      bytes += picture.bytes
      while slice < deliverable.count, deliverable[slice] < bytes { slice += 1 }
      area += picture.visibleAreas.reduce(0) { $0 + ($1.slice < slice ? 0 : Double($1.area)) }
    }
    return area
  }

  /// The optimum is between the bound and the best of these schedules.
  @Test func `in 18 of 24 cases, the bound is within 0.1 points of a schedule of whole images`() throws {
    var gaps: [Double] = []
    for configuration in SuiteV1.cases.map(\.configuration) {
      let contents = ListContents(configuration.list, seed: configuration.seed)
      let pictures = ModeledPictures(contents: contents)
      let schedule = ClairvoyantSchedule(
        try ScreenOrientation.all(of: configuration), refreshRate: configuration.viewport.refreshRate,
        duration: configuration.duration, picture: contents.picture)
      let link = configuration.network.link(connections: nil, seed: configuration.seed)
      let deliverable = schedule.sliceEnds.map(link.deliverable)
      let images = schedule.pictures.map {
        Oracle.Picture(bytes: Double(pictures.bytes(of: $0.number)), visibleAreas: $0.visibleAreas[...])
      }
      var shown = 0.0
      let bound = Oracle.maxShownArea(of: images, area: schedule.area, deliverable: deliverable) { ends in
        shown = max(shown, shownArea(images, ends, deliverable: deliverable))
      }
      gaps.append((bound - shown) / schedule.area)
    }
    #expect(gaps.count == 24 && gaps.allSatisfy { $0 >= -1e-9 && $0 < 0.03 }, "\(gaps)")
    #expect(gaps.count { $0 <= 0.001 } >= 18, "\(gaps)")
  }
}
