@testable internal import Cellophane
@testable internal import CellophaneCore
internal import TestSupport
internal import Testing

@Suite("Circuit breaker: every transition")
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
  let busy = LoadError(.status, "busy", isRetryable: true, status: 429)
  var table = Table(policy)
  var now = Duration.zero

  func request(_ origin: Origin? = nil, of resource: Int = 1) -> Table.Permit? {
    table.permit(for: origin ?? self.origin, NumberRequest(resource).key.response, now: now)
  }

  func fail(
    _ permit: Table.Permit?, ofOrigin: Bool = true, about number: Int = 1, retryAfter: Duration? = nil
  ) throws -> Table.Change {
    let failure = ExchangeFailure(
      key: NumberRequest(number).key.response, error: down,
      failureClass: FailureClass(
        scope: ofOrigin ? .origin : .resource, isTransient: true, retryAfter: retryAfter,
        opensCircuit: ofOrigin))
    return table.failed(try #require(permit), with: failure, now: now, share: { _ in 1 })
  }

  @Test("the circuit of an origin that responds is closed and not stored")
  func closed() throws {
    #expect(table.arrive(1, at: origin, now: now) == .closed)
    let permit = try #require(request())
    #expect(table.succeeded(permit, now: now) == Table.Change())
    #expect(table.count == 0)
  }

  @Test("a failure of the origin opens its circuit at once, and no other")
  func failure() throws {
    #expect(try fail(request()) == Table.Change(openUntil: .seconds(1), opened: .seconds(1)))
    #expect(request() == nil)
    #expect(table.arrive(1, at: origin, now: now) == .open(until: .seconds(1), because: down))
    #expect(request(other) != nil && table.arrive(1, at: other, now: now) == .closed)
  }

  @Test("one failing resource opens no circuit; three in a row do, and a success restarts the count")
  func resources() throws {
    for _ in 0..<5 { #expect(try fail(request(), ofOrigin: false, about: 1) == Table.Change()) }
    #expect(try fail(request(), ofOrigin: false, about: 2) == Table.Change())
    _ = table.succeeded(try #require(request()), now: now)
    #expect(try fail(request(), ofOrigin: false, about: 3) == Table.Change())
    #expect(try fail(request(), ofOrigin: false, about: 4) == Table.Change())
    #expect(try fail(request(), ofOrigin: false, about: 5).opened == .seconds(1))
  }

  @Test("after the pause one probe runs, others wait for it, and its success closes the circuit")
  func probe() throws {
    _ = try fail(request())
    now = .seconds(1)
    #expect(table.arrive(1, at: origin, now: now) == .closed)
    let probe = try #require(request())
    #expect(request() == nil)
    #expect(table.arrive(1, at: origin, now: now) == .probing)
    #expect(table.arrive(2, at: origin, now: now) == .probing)
    table.remove(1, from: origin)
    #expect(table.succeeded(probe, now: now) == Table.Change(notified: [2], isClosed: true))
    #expect(request() != nil && table.arrive(3, at: origin, now: now) == .closed)
    // A second success of the same probe has no effect.
    #expect(table.succeeded(probe, now: now) == Table.Change())
  }

  @Test("each failed probe opens the circuit for a longer pause, up to the limit")
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
    // After a long time without requests, the pauses grow from the start again.
    now += .seconds(121)
    #expect(try fail(request()).opened == now + .seconds(1))
  }

  @Test("after a cancelled probe, another one runs")
  func cancelledProbe() throws {
    _ = try fail(request())
    now = .seconds(1)
    let probe = try #require(request())
    _ = table.arrive(1, at: origin, now: now)
    #expect(table.gaveUp(probe) == Table.Change(notified: [1]))
    let next = try #require(request())
    #expect(table.gaveUp(probe) == Table.Change() && table.succeeded(probe, now: now) == Table.Change())
    #expect(request() == nil)
    #expect(table.succeeded(next, now: now).isClosed)
  }

  @Test("requests from before the circuit opened neither close it nor prolong it, except by Retry-After")
  func earlierRequests() throws {
    let permits = (0..<4).map { _ in request() }
    #expect(try fail(permits[0]).opened == .seconds(1))
    #expect(try fail(permits[1]) == Table.Change(openUntil: .seconds(1)))
    #expect(table.succeeded(try #require(permits[2]), now: now) == Table.Change())
    #expect(request() == nil)
    #expect(try fail(permits[3], retryAfter: .seconds(7)) == Table.Change(openUntil: .seconds(7)))
    #expect(table.arrive(1, at: origin, now: .seconds(6)) == .open(until: .seconds(7), because: down))
  }

  @Test("Retry-After is honored up to the limit and never shortens a pause")
  func retryAfter() throws {
    for (requested, expected) in [(0, 1), (5, 5), (60, 60), (61, 60), (1 << 31, 60)] {
      table = Table(Self.policy)
      #expect(try fail(request(), retryAfter: .seconds(requested)).opened == .seconds(expected))
    }
  }

  /// Returns the change by a 429 to resource `number` that asks for a pause of a minute.
  func refuse(_ permit: Table.Permit?) throws -> Table.Change {
    let permit = try #require(permit)
    let failure = ExchangeFailure(
      key: permit.resource, error: busy,
      failureClass: FailureClass(
        scope: .origin, isTransient: true, retryAfter: .seconds(60), opensCircuit: true))
    return table.failed(permit, with: failure, now: now, share: { _ in 1 })
  }

  @Test("one refused resource opens no circuit while others are answered, a second one in a row does")
  func refusedResource() throws {
    _ = table.succeeded(try #require(request(of: 1)), now: now)
    let permits = (2...4).map { request(of: $0) }
    #expect(try refuse(permits[0]) == Table.Change())
    #expect(try refuse(request(of: 2)) == Table.Change() && request(of: 3) != nil)
    #expect(try refuse(permits[1]).opened == .seconds(60))
    // An answer to an earlier request is no evidence against two resources.
    #expect(table.succeeded(try #require(permits[2]), now: now) == Table.Change() && request() == nil)
  }

  @Test("the refusals of two resources are not contradicted after a further refusal of one")
  func laterRefusal() throws {
    _ = table.succeeded(try #require(request(of: 1)), now: now)
    let permits = (2...6).map { request(of: $0) }
    #expect(try refuse(permits[0]) == Table.Change() && refuse(permits[1]).opened == .seconds(60))
    _ = table.succeeded(try #require(permits[2]), now: now)
    _ = try refuse(permits[3])
    #expect(table.succeeded(try #require(permits[4]), now: now) == Table.Change() && request() == nil)
  }

  @Test("the answer to an earlier request of another resource ends the pause that one resource requires")
  func contradictedRefusal() throws {
    let permits = [1, 2, 1].map { request(of: $0) }
    #expect(try refuse(permits[0]).opened == .seconds(60))
    #expect(table.succeeded(try #require(permits[2]), now: now) == Table.Change())
    table = Table(Self.policy)
    #expect(try refuse(permits[0]).opened == .seconds(60))
    #expect(table.arrive(7, at: origin, now: now) == .open(until: .seconds(60), because: busy))
    #expect(table.succeeded(try #require(permits[1]), now: now).isClosed && request() != nil)
  }

  @Test("requests that arrive before that answer wait for it, for a moment")
  func undecided() throws {
    let permits = [1, 2].map { request(of: $0) }
    _ = try refuse(permits[0])
    now = .milliseconds(400)
    #expect(table.arrive(7, at: origin, now: now) == .undecided(until: .seconds(1)))
    #expect(
      table.succeeded(try #require(permits[1]), now: now) == Table.Change(notified: [7], isClosed: true))
    // The refusal of a second resource decides, too.
    table = Table(Self.policy)
    let refused = [1, 2].map { request(of: $0) }
    _ = try refuse(refused[0])
    _ = table.arrive(8, at: origin, now: now)
    #expect(try refuse(refused[1]) == Table.Change(notified: [8], openUntil: .milliseconds(60_400)))
    #expect(table.arrive(8, at: origin, now: now) == .open(until: .milliseconds(60_400), because: busy))
    table = Table(Self.policy)
    _ = request(of: 2)
    _ = try refuse(request(of: 1))
    now = .milliseconds(1_400)
    #expect(table.arrive(7, at: origin, now: now) == .open(until: .milliseconds(60_400), because: busy))
  }

  @Test("a timeout of a resource counts only without answers of others")
  func timeouts() throws {
    func timeOut(_ permit: Table.Permit?) throws -> Table.Change {
      let permit = try #require(permit)
      let failure = ExchangeFailure(
        key: permit.resource, error: LoadError(.timeout, "late", isRetryable: true),
        failureClass: FailureClass(
          scope: .resource, isTransient: false, retryAfter: nil, opensCircuit: false))
      return table.failed(permit, with: failure, now: now, share: { _ in 1 })
    }
    _ = table.succeeded(try #require(request()), now: now)
    let first = (0..<16).map { request(of: $0) }
    now = .seconds(10)
    for permit in first { #expect(try timeOut(permit) == Table.Change()) }
    let second = (16..<19).map { request(of: $0) }
    now = .seconds(20)
    #expect(try second.map { try timeOut($0).opened } == [nil, nil, .seconds(21)])
  }

  @Test("the remaining time is that of the open circuit or of Retry-After")
  func remaining() throws {
    #expect(table.remaining(of: origin, now: now) == nil)
    let permits = (0..<2).map { _ in request() }
    _ = try fail(permits[0])
    #expect(table.remaining(of: origin, now: .milliseconds(400)) == .milliseconds(600))
    // More than the limit, which bounds only the open circuit.
    _ = try fail(permits[1], retryAfter: .seconds(3_600))
    #expect(table.arrive(1, at: origin, now: now) == .open(until: .seconds(60), because: down))
    #expect(table.remaining(of: origin, now: .seconds(20)) == .seconds(3_580))
    #expect(
      table.remaining(of: other, now: now) == nil && table.remaining(of: origin, now: .seconds(3_600)) == nil)
    now = .seconds(60)
    _ = try fail(request(), retryAfter: .seconds(5))
    #expect(table.remaining(of: origin, now: now) == .seconds(5))
  }

  @Test("unused origins do not accumulate")
  func forgetting() throws {
    for number in 0..<5_000 {
      now += .milliseconds(10)
      let origin = Origin(scheme: "http", host: "\(number)", port: 80)
      _ = try fail(request(origin), ofOrigin: number % 2 == 0)
    }
    #expect(table.count <= Table.mostOrigins + 1)
  }

  @Test("pauses double, half of each is random, and none is longer than the limit")
  func pauses() {
    let policy = Self.policy
    for (failures, longest) in [(0, 1.0), (1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (100, 60), (.max, 60)] {
      #expect(policy.pause(after: failures, share: 1) == .seconds(longest))
      #expect(policy.pause(after: failures, share: 0) == .seconds(longest / 2))
    }
  }

  @Test("the random part depends only on the seed, the name and the number of failures")
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
