import Cellophane
import CellophaneNetwork
import Testing

@testable import CellophaneResults

@Suite struct AdviceVariationTests {
  private func names(_ base: SimulationConfiguration) -> [String] {
    AdviceVariation.all(of: base).map { $0.parameter + " " + $0.value }
  }

  @Test func `the default scenario has ten variations, each with one change`() throws {
    let base = SimulationConfiguration()
    #expect(
      names(base) == [
        "gesture.profile reader", "gesture.profile browser", "gesture.physics android", "network.http 2",
        "network.down_kbps ×0.5", "network.down_kbps ×2", "network.rtt_ms ×0.5", "network.rtt_ms ×2",
        "list.bytes ×0.5", "list.bytes ×2",
      ])
    let all = AdviceVariation.all(of: base)
    #expect(Set(all.map(\.configuration)).count == 10)
    func change(_ index: Int, _ expected: (inout SimulationConfiguration) -> Void) {
      var one = base
      expected(&one)
      #expect(all[index].configuration == one, "\(all[index].parameter)")
    }
    change(0) { $0.gesture.profile = .reader }
    change(2) { $0.gesture.physics = .android }
    change(3) { $0.network.http = .http2 }
    change(9) { $0.list.bytes = .perPixel(Lognormal(median: 7, sigma: 0.35)) }
    #expect(all[4].configuration.network.profile.downBitsPerSecond == 6_000_000)
    #expect(all[7].configuration.network.profile.roundTrip == .milliseconds(140))
  }

  @Test func `a variation that changes nothing or cannot be played is left out`() {
    var base = SimulationConfiguration()
    base.network.profile = .unlimited
    base.gesture.profile = .constant(500)
    #expect(names(base) == ["network.http 2", "list.bytes ×0.5", "list.bytes ×2"])
    // Twice the median would be above the limit of 16 MB.
    base.list.bytes = .lognormal(Lognormal(median: 9e6, sigma: 0))
    #expect(names(base) == ["network.http 2", "list.bytes ×0.5"])
  }

  @Test func `the file sizes of a list are scaled where they are known`() throws {
    var base = SimulationConfiguration()
    let rows = "http://a/1,120,1001\nhttp://a/2,130\nhttp://a/3,120,15000000\nhttp://a/4,120,1"
    base.list.take(try RowList(name: "rows", csv: Array(rows.utf8)), in: .virtual)
    func sizes(_ factor: String) -> [Int?]? {
      let one = AdviceVariation.all(of: base).first { $0.parameter == "list.bytes" && $0.value == factor }
      return one?.configuration.list.listed?.bytes
    }
    #expect(sizes("×0.5") == [501, nil, 7_500_000, 1])
    // At most the largest accepted size.
    #expect(sizes("×2") == [2002, nil, 16_000_000, 2])
  }

  @Test func `scaled sizes of generated files keep the mean`() {
    func mean(_ change: (inout SimulationConfiguration.List) -> Void) -> Double {
      var list = SimulationConfiguration.List()
      change(&list)
      let contents = ListContents(list, seed: 1)
      return Double((0..<20_000).reduce(0) { $0 + contents.fileBytes(of: $1) }) / 20_000
    }
    let generated = mean { _ in }
    let same = mean { $0.bytes = $0.bytes.scaled(by: 1, pixels: 320 * 320) }
    #expect(abs(same / generated - 1) < 0.02, "\(same) \(generated)")
    let double = mean { $0.bytes = $0.bytes.scaled(by: 2, pixels: 320 * 320) }
    #expect(abs(double / same - 2) < 0.001, "\(double) \(same)")
    let published = mean { $0.bytes = .web(.webp) }
    let scaled = mean { $0.bytes = FileSizes.web(.webp).scaled(by: 2, pixels: 320 * 320) }
    #expect(abs(scaled / published - 2) < 0.001, "\(scaled) \(published)")
  }
}
