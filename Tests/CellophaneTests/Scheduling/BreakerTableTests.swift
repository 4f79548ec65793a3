@testable internal import Cellophane
internal import Testing

@Suite("Origins held back: every transition")
final class BreakerTableTests {
  typealias Table = BreakerTable<Int>
  static let policy: RetryPolicy = {
    var policy = RetryPolicy()
    policy.firstDelay = .seconds(1)
    return policy
  }()
  let origin = Origin(scheme: "http", host: "a", port: 80)
  let other = Origin(scheme: "http", host: "b", port: 80)
  let down = LoadError(.connect, "down", isRetryable: true)
  var table = Table(policy)
  var now = Duration.zero

  func request(_ origin: Origin? = nil) -> Table.Permit? {
    table.permit(for: origin ?? self.origin, now: now)
  }

  func fail(
    _ permit: Table.Permit?, ofOrigin: Bool = true, about number: Int = 1, retryAfter: Duration? = nil
  ) throws -> Table.Change {
    table.failed(
      try #require(permit), about: NumberRequest(number).key.response, with: down, isOfOrigin: ofOrigin,
      retryAfter: retryAfter, now: now, share: { _ in 1 })
  }

  @Test("an origin that answers is open, and nothing of it is remembered")
  func open() throws {
    #expect(table.arrive(1, at: origin, now: now) == .closed)
    let permit = try #require(request())
    #expect(table.succeeded(permit) == Table.Change())
    #expect(table.count == 0)
  }

  @Test("a failure of the origin holds it back at once, and no other")
  func failure() throws {
    #expect(try fail(request()) == Table.Change(openUntil: .seconds(1), opened: .seconds(1)))
    #expect(request() == nil)
    #expect(table.arrive(1, at: origin, now: now) == .open(until: .seconds(1), because: down))
    #expect(request(other) != nil && table.arrive(1, at: other, now: now) == .closed)
  }

  @Test("one resource that fails holds nothing back; three in a row do, an answer in between begins anew")
  func resources() throws {
    for _ in 0..<5 { #expect(try fail(request(), ofOrigin: false, about: 1) == Table.Change()) }
    #expect(try fail(request(), ofOrigin: false, about: 2) == Table.Change())
    _ = table.succeeded(try #require(request()))
    #expect(try fail(request(), ofOrigin: false, about: 3) == Table.Change())
    #expect(try fail(request(), ofOrigin: false, about: 4) == Table.Change())
    #expect(try fail(request(), ofOrigin: false, about: 5).opened == .seconds(1))
  }

  @Test("when the time is over one goes first, the others wait for it; its answer lets them go")
  func probe() throws {
    _ = try fail(request())
    now = .seconds(1)
    #expect(table.arrive(1, at: origin, now: now) == .closed)
    let probe = try #require(request())
    #expect(request() == nil)
    #expect(table.arrive(1, at: origin, now: now) == .probing)
    #expect(table.arrive(2, at: origin, now: now) == .probing)
    table.remove(1, from: origin)
    #expect(table.succeeded(probe) == Table.Change(notified: [2], isClosed: true))
    #expect(request() != nil && table.arrive(3, at: origin, now: now) == .closed)
    // The end of what answered already says nothing new.
    #expect(table.succeeded(probe) == Table.Change())
  }

  @Test("the failure of the one that went first holds back for longer, each time, up to the limit")
  func growing() throws {
    _ = try fail(request())
    var pauses: [Int] = []
    for number in 0..<8 {
      guard case .open(let until, _) = table.arrive(0, at: origin, now: now) else {
        Issue.record("not open")
        return
      }
      now = until
      let probe = request()
      #expect(table.arrive(number, at: origin, now: now) == .probing)
      let change = try fail(probe)
      #expect(change.notified == [number])
      pauses.append(Int((try #require(change.opened) - now) / .seconds(1)))
    }
    #expect(pauses == [2, 4, 8, 16, 32, 60, 60, 60])
    // Nobody asked for long: the pauses grow from the beginning again.
    now += .seconds(121)
    #expect(try fail(request()).opened == now + .seconds(1))
  }

  @Test("when the one that went first is given up, another goes")
  func givenUp() throws {
    _ = try fail(request())
    now = .seconds(1)
    let probe = try #require(request())
    _ = table.arrive(1, at: origin, now: now)
    #expect(table.gaveUp(probe) == Table.Change(notified: [1]))
    let next = try #require(request())
    #expect(table.gaveUp(probe) == Table.Change() && table.succeeded(probe) == Table.Change())
    #expect(request() == nil)
    #expect(table.succeeded(next).isClosed)
  }

  @Test("what began before the hold neither ends nor prolongs it, but what the origin asks for counts")
  func bystanders() throws {
    let permits = (0..<4).map { _ in request() }
    #expect(try fail(permits[0]).opened == .seconds(1))
    #expect(try fail(permits[1]) == Table.Change(openUntil: .seconds(1)))
    #expect(table.succeeded(try #require(permits[2])) == Table.Change())
    #expect(request() == nil)
    #expect(try fail(permits[3], retryAfter: .seconds(7)) == Table.Change(openUntil: .seconds(7)))
    #expect(table.arrive(1, at: origin, now: .seconds(6)) == .open(until: .seconds(7), because: down))
  }

  @Test("what the origin asks for is honoured up to the limit, and never shortens a pause")
  func retryAfter() throws {
    for (asked, expected) in [(0, 1), (5, 5), (60, 60), (61, 60), (1 << 31, 60)] {
      table = Table(Self.policy)
      #expect(try fail(request(), retryAfter: .seconds(asked)).opened == .seconds(expected))
    }
  }

  @Test("how long asking is of no use still is notified: as long as the origin asked, or is held back")
  func rest() throws {
    #expect(table.remaining(of: origin, now: now) == nil)
    let permits = (0..<2).map { _ in request() }
    _ = try fail(permits[0])
    #expect(table.remaining(of: origin, now: .milliseconds(400)) == .milliseconds(600))
    // More than the limit, which only ends the hold.
    _ = try fail(permits[1], retryAfter: .seconds(3_600))
    #expect(table.arrive(1, at: origin, now: now) == .open(until: .seconds(60), because: down))
    #expect(table.remaining(of: origin, now: .seconds(20)) == .seconds(3_580))
    #expect(
      table.remaining(of: other, now: now) == nil && table.remaining(of: origin, now: .seconds(3_600)) == nil)
    now = .seconds(60)
    _ = try fail(request(), retryAfter: .seconds(5))
    #expect(table.remaining(of: origin, now: now) == .seconds(5))
  }

  @Test("origins that nobody asks any more do not add up")
  func forgetting() throws {
    for number in 0..<5_000 {
      now += .milliseconds(10)
      let origin = Origin(scheme: "http", host: "\(number)", port: 80)
      _ = try fail(request(origin), ofOrigin: number % 2 == 0)
    }
    #expect(table.count <= Table.mostOrigins + 1)
  }

  @Test("pauses double, half of each is left to chance, and none is longer than the limit")
  func pauses() {
    let policy = Self.policy
    for (failures, longest) in [(0, 1.0), (1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (100, 60), (.max, 60)] {
      #expect(policy.pause(after: failures, share: 1) == .seconds(longest))
      #expect(policy.pause(after: failures, share: 0) == .seconds(longest / 2))
    }
  }

  @Test("what is left to chance depends on the seed, on what failed and on how often, and on nothing else")
  func jitter() {
    func drawn(_ seed: UInt64, _ name: String) -> [Double] {
      (1...1_000).map { Jitter(seed: seed).share(of: name, after: $0) }
    }
    let one = drawn(7, "http://a/1")
    #expect(one == drawn(7, "http://a/1"))
    #expect(one != drawn(8, "http://a/1") && one != drawn(7, "http://a/2"))
    #expect(Set(one).count == one.count)
    #expect(one.allSatisfy((0..<1).contains) && (0.45...0.55).contains(one.reduce(0, +) / 1_000))
    let ofNames = (1...1_000).map { Jitter(seed: 7).share(of: "http://a/\($0)", after: 1) }
    #expect((0.45...0.55).contains(ofNames.reduce(0, +) / 1_000))
    #expect(Jitter(seed: nil).share(of: "a", after: 1) != Jitter(seed: nil).share(of: "a", after: 1))
  }
}
