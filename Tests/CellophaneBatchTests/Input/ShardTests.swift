internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Shards of a list")
struct ShardTests {
  static func request(_ url: String) throws -> ImageRequest { try ImageRequest(url) }

  @Test(
    "a shard is parsed from i/n, where i counts from 0 or from 1",
    arguments: [
      ("0/1", 0, 1), ("1/1", 0, 1), ("0/4", 0, 4), ("3/4", 3, 4), ("4/4", 0, 4), ("007/010", 7, 10),
      ("999999/1000000", 999_999, 1_000_000),
    ])
  func parsing(text: String, number: Int, count: Int) {
    let shard = Shard(parsing: text)
    #expect(shard?.number == number && shard?.count == count)
  }

  @Test(
    "other text is not a shard",
    arguments: [
      "", "/", "1", "1/", "/2", "5/4", "0/0", "-1/4", "+1/4", "1/4/4", " 1/4", "1/1000001", "a/b", "1.0/4",
      "99999999999999999999/4",
    ])
  func noShard(text: String) { #expect(Shard(parsing: text) == nil) }

  @Test(
    "each URL is in one shard, and the shards have about the same length", arguments: [1, 2, 3, 7, 16, 100])
  func lengths(count: Int) throws {
    var lengths = [Int](repeating: 0, count: count)
    let shards = (0..<count).compactMap { Shard(parsing: "\($0)/\(count)") }
    for number in 0..<2_000 {
      let request = try Self.request("http://h/\(number)")
      let holders = shards.filter { $0.holds(request) }
      #expect(holders.count == 1)
      lengths[holders[0].number] += 1
    }
    let mean = 2_000 / Double(count)
    // Six standard deviations.
    for length in lengths { #expect(abs(Double(length) - mean) <= 6 * mean.squareRoot() + 1) }
  }

  @Test("with the host key, all spellings of the URLs of an origin are in one shard")
  func hosts() throws {
    let shards = (0..<5).compactMap { Shard(parsing: "\($0)/5", key: .host) }
    for host in 0..<20 {
      let urls = ["http://h\(host)/a", "http://H\(host):80/b?c", "http://h\(host)/a#d"]
      let holders = try urls.map { url in try shards.firstIndex { $0.holds(try Self.request(url)) } }
      #expect(Set(holders).count == 1 && holders[0] != nil)
    }
  }

  /// Machines with different versions may process a list together.
  @Test("the shard of a URL never changes")
  func fixed() throws {
    let numbers = try (0..<12).map { number in
      try (0..<10).first {
        try Shard(parsing: "\($0)/10")?.holds(Self.request("http://example.com/\(number).jpg")) == true
      }
    }
    #expect(numbers == [0, 4, 7, 5, 1, 4, 0, 7, 8, 3, 0, 9])
    #expect((0..<10).first { Shard(parsing: "\($0)/10")?.holds("no url") == true } == 3)
  }
}
