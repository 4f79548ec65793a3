@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Known failures")
struct KnownFailuresTests {
  private func load(_ world: HTTPWorld, _ headers: HeaderFields = [:], account: String? = nil) async
    -> LoadError?
  {
    do throws(LoadError) {
      _ = try await world.bytes.load(
        Request("http://origin/a", headers: headers, account: account, options: 0))
      return nil
    } catch {
      return error
    }
  }

  @Test("the error states the time of the next attempt, and the known failure is counted")
  func message() {
    let world = HTTPWorld(answers: ["404 | Cache-Control: max-age=60"])
    let error = world.time.run { () -> LoadError? in
      let first = await load(world)
      #expect(first?.retryAfter == .seconds(60) && first?.message == "http://origin/a answered 404")
      try? await world.bytes.timeline.sleep(for: .seconds(20))
      return await load(world)
    }
    #expect(error??.kind == .status && error??.status == 404 && error??.isRetryable == false)
    #expect(error??.retryAfter == .seconds(40))
    #expect(
      error??.message
        == "http://origin/a answered 404 20 s ago, which lasts for 40 s more; a reload asks again before")
    let counters = world.bytes.events.counters
    #expect(counters.knownFailures == 1 && counters.transfers == 1 && counters.failed == 1)
  }

  @Test("a known failure applies only to the credentials of its request")
  func credentials() {
    let world = HTTPWorld(answers: ["403 | Cache-Control: max-age=60"])
    world.time.run {
      for token in ["1", "1", "2", "2", "1"] {
        #expect(await load(world, ["Authorization": token], account: "ann")?.status == 403)
      }
      #expect(await load(world)?.status == 403)
    }
    #expect(world.seen == ["authorization: 1", "authorization: 2", "authorization: 1", ""])
  }

  @Test("a reload that succeeds or fails without a lifetime removes the known failure")
  func ended() {
    for second in ["200", "500"] {
      let world = HTTPWorld(answers: ["404 | Cache-Control: max-age=60", second, "200"])
      let got = world.time.run { [await world.load(), await world.load([:], .reload), await world.load()] }
      #expect(got?.last == "3 network")
    }
  }

  @Test("a stale response replaces a known failure without a request")
  func staleIfError() {
    let world = HTTPWorld(answers: ["Cache-Control: stale-if-error=600", "503 | Retry-After: 60"])
    let got = world.time.run { [await world.load(), await world.load(), await world.load()] }
    #expect(got == ["1 network", "1 stale", "1 stale"])
    #expect(world.seen.count == 2 && world.bytes.events.counters.staleOnError == 2)
  }

  @Test(
    "a jump of the calendar does not prolong a known failure", arguments: [-1_000_000, 1_000_000] as [Int64])
  func jumps(by seconds: Int64) {
    let world = HTTPWorld(answers: ["404 | Cache-Control: max-age=60", "200"])
    let got = world.time.run {
      _ = await world.load()
      world.time.setBack = seconds
      let early = await world.load()
      try? await world.bytes.timeline.sleep(for: .seconds(60))
      return [early, await world.load()]
    }
    #expect(got == ["404", "2 network"])
  }

  @Test("the number of known failures is bounded, and those that end first are removed first")
  func bounded() throws {
    let failures = KnownFailures()
    func request(_ number: Int) throws -> ByteRequest {
      ByteRequest(try Request("http://origin/\(number)", options: 0))
    }
    for number in 0..<2 * KnownFailures.limit {
      let lasts = Duration.seconds(number.isMultiple(of: 2) ? 1_000 : 10)
      failures.remember(
        LoadError(.status, "gone", status: 404, retryAfter: lasts), of: try request(number), at: .zero)
      #expect(failures.count <= KnownFailures.limit)
    }
    #expect(failures.failure(of: try request(2_046), at: .seconds(999)) != nil)
    #expect(failures.failure(of: try request(2_046), at: .seconds(1_000)) == nil)
    #expect(failures.failure(of: try request(1), at: .zero) == nil)
    failures.remember(
      LoadError(.status, "gone", status: 404, retryAfter: .seconds(1)), of: try request(-1),
      at: .seconds(2_000))
    failures.remember(
      LoadError(.status, "gone", status: 404, retryAfter: .seconds(1)), of: try request(-2),
      at: .seconds(2_000))
    #expect(failures.count == 2)
  }

  @Test("the size of known failures is bounded, and removed ones free their bytes", .thorough)
  func bytes() throws {
    let failures = KnownFailures()
    func request(_ number: Int, _ length: Int) throws -> ByteRequest {
      let path = String(repeating: "x", count: length)
      return ByteRequest(
        try Request("http://origin/\(number)/\(path)", headers: ["Cookie": path], options: 0))
    }
    func remember(_ request: ByteRequest, for time: Duration) {
      failures.remember(
        LoadError(.status, "\(request.key.url) answered 404", status: 404, retryAfter: time), of: request,
        at: .zero)
    }
    for length in [10, 10_000, 30_000, 60_000] {
      for number in 0..<200 {
        remember(try request(number, length), for: .seconds(1_000 - number))
        #expect(failures.bytes <= KnownFailures.largest)
      }
    }
    #expect(failures.count > 8)
    // A failure larger than an eighth of the limit is not kept.
    #expect(failures.failure(of: try request(0, 60_000), at: .zero) == nil)
    #expect(failures.failure(of: try request(0, 30_000), at: .zero) != nil)
    let before = failures.bytes
    let one = try request(1_000, 20)
    remember(one, for: .seconds(2_000))
    remember(one, for: .seconds(2_000))
    failures.remember(nil, of: one, at: .zero)
    #expect(failures.bytes <= before)
    remember(one, for: .seconds(3_000))
    remember(try request(1_001, 10_000), for: .seconds(2_000))
    #expect(failures.failure(of: try request(1_001, 10_000), at: .seconds(2_000)) == nil)
    remember(one, for: .seconds(1))
    failures.remember(nil, of: one, at: .seconds(5_000))
    #expect(failures.bytes <= before)
  }
}
