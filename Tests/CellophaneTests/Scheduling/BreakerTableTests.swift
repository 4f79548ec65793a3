@testable internal import Cellophane
internal import TestSupport
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

  func enter(_ origin: Origin? = nil) -> Table.Pass? { table.enter(origin ?? self.origin, now: now) }

  func fail(
    _ pass: Table.Pass?, ofOrigin: Bool = true, about number: Int = 1, retryAfter: Duration? = nil
  ) throws -> Table.Change {
    table.failed(
      try #require(pass), about: NumberRequest(number).key.response, with: down, isOfOrigin: ofOrigin,
      retryAfter: retryAfter, now: now, share: { _ in 1 })
  }

  @Test("an origin that answers is open, and nothing of it is remembered")
  func open() throws {
    #expect(table.arrive(1, at: origin, now: now) == .open)
    let pass = try #require(enter())
    #expect(table.answered(pass) == Table.Change())
    #expect(table.count == 0)
  }

  @Test("a failure of the origin holds it back at once, and no other")
  func failure() throws {
    #expect(try fail(enter()) == Table.Change(heldUntil: .seconds(1), newHold: .seconds(1)))
    #expect(enter() == nil)
    #expect(table.arrive(1, at: origin, now: now) == .held(until: .seconds(1), because: down))
    #expect(enter(other) != nil && table.arrive(1, at: other, now: now) == .open)
  }

  @Test("one resource that fails holds nothing back; three in a row do, an answer in between begins anew")
  func resources() throws {
    for _ in 0..<5 { #expect(try fail(enter(), ofOrigin: false, about: 1) == Table.Change()) }
    #expect(try fail(enter(), ofOrigin: false, about: 2) == Table.Change())
    _ = table.answered(try #require(enter()))
    #expect(try fail(enter(), ofOrigin: false, about: 3) == Table.Change())
    #expect(try fail(enter(), ofOrigin: false, about: 4) == Table.Change())
    #expect(try fail(enter(), ofOrigin: false, about: 5).newHold == .seconds(1))
  }

  @Test("when the time is over one goes first, the others wait for it; its answer lets them go")
  func probe() throws {
    _ = try fail(enter())
    now = .seconds(1)
    #expect(table.arrive(1, at: origin, now: now) == .open)
    let probe = try #require(enter())
    #expect(enter() == nil)
    #expect(table.arrive(1, at: origin, now: now) == .probing)
    #expect(table.arrive(2, at: origin, now: now) == .probing)
    table.remove(1, from: origin)
    #expect(table.answered(probe) == Table.Change(told: [2], isReleased: true))
    #expect(enter() != nil && table.arrive(3, at: origin, now: now) == .open)
    // The end of what answered already says nothing new.
    #expect(table.answered(probe) == Table.Change())
  }

  @Test("the failure of the one that went first holds back for longer, each time, up to the limit")
  func growing() throws {
    _ = try fail(enter())
    var pauses: [Int] = []
    for number in 0..<8 {
      guard case .held(let until, _) = table.arrive(0, at: origin, now: now) else {
        Issue.record("not held")
        return
      }
      now = until
      let probe = enter()
      #expect(table.arrive(number, at: origin, now: now) == .probing)
      let change = try fail(probe)
      #expect(change.told == [number])
      pauses.append(Int((try #require(change.newHold) - now) / .seconds(1)))
    }
    #expect(pauses == [2, 4, 8, 16, 32, 60, 60, 60])
    // Nobody asked for long: the pauses grow from the beginning again.
    now += .seconds(121)
    #expect(try fail(enter()).newHold == now + .seconds(1))
  }

  @Test("when the one that went first is given up, another goes")
  func givenUp() throws {
    _ = try fail(enter())
    now = .seconds(1)
    let probe = try #require(enter())
    _ = table.arrive(1, at: origin, now: now)
    #expect(table.gaveUp(probe) == Table.Change(told: [1]))
    let next = try #require(enter())
    #expect(table.gaveUp(probe) == Table.Change() && table.answered(probe) == Table.Change())
    #expect(enter() == nil)
    #expect(table.answered(next).isReleased)
  }

  @Test("what began before the hold neither ends nor prolongs it, but what the origin asks for counts")
  func bystanders() throws {
    let passes = (0..<4).map { _ in enter() }
    #expect(try fail(passes[0]).newHold == .seconds(1))
    #expect(try fail(passes[1]) == Table.Change(heldUntil: .seconds(1)))
    #expect(table.answered(try #require(passes[2])) == Table.Change())
    #expect(enter() == nil)
    #expect(try fail(passes[3], retryAfter: .seconds(7)) == Table.Change(heldUntil: .seconds(7)))
    #expect(table.arrive(1, at: origin, now: .seconds(6)) == .held(until: .seconds(7), because: down))
  }

  @Test("what the origin asks for is honoured up to the limit, and never shortens a pause")
  func retryAfter() throws {
    for (asked, expected) in [(0, 1), (5, 5), (60, 60), (61, 60), (1 << 31, 60)] {
      table = Table(Self.policy)
      #expect(try fail(enter(), retryAfter: .seconds(asked)).newHold == .seconds(expected))
    }
  }

  @Test("how long asking is of no use still is told: as long as the origin asked, or is held back")
  func rest() throws {
    #expect(table.rest(of: origin, now: now) == nil)
    let passes = (0..<2).map { _ in enter() }
    _ = try fail(passes[0])
    #expect(table.rest(of: origin, now: .milliseconds(400)) == .milliseconds(600))
    // More than the limit, which only ends the hold.
    _ = try fail(passes[1], retryAfter: .seconds(3_600))
    #expect(table.arrive(1, at: origin, now: now) == .held(until: .seconds(60), because: down))
    #expect(table.rest(of: origin, now: .seconds(20)) == .seconds(3_580))
    #expect(table.rest(of: other, now: now) == nil && table.rest(of: origin, now: .seconds(3_600)) == nil)
    now = .seconds(60)
    _ = try fail(enter(), retryAfter: .seconds(5))
    #expect(table.rest(of: origin, now: now) == .seconds(5))
  }

  @Test("origins that nobody asks any more do not add up")
  func forgetting() throws {
    for number in 0..<5_000 {
      now += .milliseconds(10)
      let origin = Origin(scheme: "http", host: "\(number)", port: 80)
      _ = try fail(enter(origin), ofOrigin: number % 2 == 0)
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
