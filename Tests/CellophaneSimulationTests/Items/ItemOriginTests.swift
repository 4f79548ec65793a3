import Cellophane
import CellophaneTesting
import Foundation
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct ItemOriginTests {
  static func page(_ query: String, rows: Int = 500) throws -> ItemPage {
    let answer = ItemOrigin(ItemCatalog(rows: rows), seed: 1).answer(query, number: 1)
    #expect(answer.status == 200, "\(query)")
    return try JSONDecoder().decode(ItemPage.self, from: Data(answer.body))
  }

  @Test func `the pages without a query contain each row once, in order`() throws {
    var rows: [Int] = []
    for page in 1...4 {
      let one = try Self.page("page=\(page)&per_page=30", rows: 100)
      #expect(one.page == page && one.pages == 4 && one.total == 100 && one.query == "")
      rows += one.items.map(\.row)
    }
    #expect(rows == Array(0..<100))
    #expect(try Self.page("page=5&per_page=30", rows: 100).items.isEmpty)
    #expect(try Self.page("page=1000000&per_page=100", rows: 100).items.isEmpty)
    #expect(try Self.page("", rows: 100).items.count == 20)
  }

  @Test func `titles are unique, and a section has consecutive rows`() {
    let catalog = ItemCatalog(rows: 10_000)
    #expect(Set((0..<10_000).map(catalog.title)).count == 10_000)
    #expect(Set((0..<10_000).map(catalog.section)).count == (10_000 + 11) / 12)
    #expect(catalog.title(of: 0) == "amber heron 0")
    #expect(catalog.section(of: 11) == "heron" && catalog.section(of: 12) == "lantern")
    #expect(catalog.section(of: 12 * 31) == "heron 2")
  }

  @Test(
    arguments: [
      ("q=heron", Array(0..<12) + Array(372..<384)), ("q=HER", Array(0..<12) + Array(372..<384)),
      ("q=amber+heron", [0]), ("q=heron%20am", [0]), ("q=heron+371", []), ("q=+", Array(0..<400)),
      ("q=%C3%A9", []), ("q=24", [24] + Array(240..<250)),
    ])
  func `a search finds the rows with words that begin with each word of the query`(
    _ query: String, _ rows: [Int]
  ) throws {
    let catalog = ItemCatalog(rows: 400)
    let page = try Self.page(query + "&per_page=100", rows: 400)
    #expect(page.total == rows.count)
    #expect(page.items.map(\.row) == Array(rows.prefix(100)))
    #expect(page.items.allSatisfy { $0.title == catalog.title(of: $0.row) })
  }

  @Test(
    arguments: [
      ("page=0", "page"), ("page=-1", "page"), ("page=1000001", "page"), ("page=", "page"),
      ("per_page=101", "per_page"),
      ("delay=60001", "delay"), ("delay=1s", "delay"), ("fail=1.1", "fail"), ("fail=nan", "fail"),
      ("Q=x", "unknown field Q"), ("q=%zz", "percent-encoded"), ("q=%+f", "percent-encoded"),
      ("q=%f", "percent-encoded"),
      ("q=%ff", "percent-encoded"), ("page=99999999999999999999", "page"),
    ])
  func `an invalid query is refused with the field or the reason`(_ query: String, _ word: String) {
    let answer = ItemOrigin(ItemCatalog(rows: 10), seed: 1).answer(query, number: 1)
    #expect(answer.status == 400)
    #expect(String(decoding: answer.body, as: UTF8.self).contains(word))
  }

  @Test func `the origin delays and fails on request, equally under equal seeds`() {
    func statuses(_ seed: UInt64) -> [Int] {
      let origin = ItemOrigin(ItemCatalog(rows: 10), seed: seed)
      return (1...1000).map { origin.answer("fail=0.3", number: $0).status }
    }
    let failed = statuses(1).count { $0 == 503 }
    #expect((250...350).contains(failed))
    #expect(statuses(1) == statuses(1) && statuses(1) != statuses(2))
    let origin = ItemOrigin(ItemCatalog(rows: 10), seed: 1)
    #expect(origin.answer("delay=800", number: 1).delay == .milliseconds(800))
    #expect(origin.answer("fail=1&delay=5", number: 1).delay == .milliseconds(5))
    #expect(origin.answer("fail=0", number: 1).status == 200)
  }
}
