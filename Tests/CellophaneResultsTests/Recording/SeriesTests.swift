internal import Testing

@testable internal import CellophaneResults

@Suite struct SeriesTests {
  @Test(arguments: [1, 2_400, 2_401, 4_801, 12_345])
  func `joined steps keep all areas and peaks`(count: Int) {
    var series = Recording.Series()
    var expected = (blank: 0.0, area: 0.0, inFlight: 0)
    for index in 0..<count {
      // The recorder appends a step when the last one ends, which is later for longer steps.
      guard Int64(series.samples.count) * series.step <= Int64(index) * 25_000 else {
        series.add(blank: 1, area: 4)
        series.note(inFlight: index % 7, memory: index)
        expected = (expected.blank + 1, expected.area + 4, max(expected.inFlight, index % 7))
        continue
      }
      series.append(Recording.Series.Sample(offset: Double(index), velocity: 1))
      series.add(blank: 1, area: 4)
      series.note(inFlight: index % 7, memory: index)
      expected = (expected.blank + 1, expected.area + 4, max(expected.inFlight, index % 7))
    }
    #expect(series.samples.count <= Recording.Series.limit)
    #expect(series.samples.reduce(0) { $0 + $1.blank } == expected.blank)
    #expect(series.samples.reduce(0) { $0 + $1.area } == expected.area)
    #expect(series.samples.map(\.inFlight).max() == expected.inFlight)
    #expect(series.samples.compactMap(\.memory).max() == count - 1)
    for (index, sample) in series.samples.enumerated() {
      #expect(sample.offset == Double(Int64(index) * series.step / 25_000))
    }
  }
}
