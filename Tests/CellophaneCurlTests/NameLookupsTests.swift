internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Synchronization
internal import Testing

@testable internal import CellophaneCurl

@Suite("DNS lookups")
struct NameLookupsTests {
  private final class Waiter {}
  private typealias Lookups = NameLookups<Waiter>

  @Test func `one request looks a name up, the others wait, and the result is known for some time`() {
    var names = Lookups()
    let (first, second, third) = (Waiter(), Waiter(), Waiter())
    #expect(names.request("h", by: first, now: .zero) == .lookUp)
    #expect(names.request("h", by: second, now: .zero) == .wait)
    #expect(
      names.found("h", by: second, now: .zero).proceeding.isEmpty, "a waiting request reported a result")
    let release = names.found("h", by: first, now: .seconds(1))
    #expect(
      release.proceeding.map(ObjectIdentifier.init) == [ObjectIdentifier(second)] && release.failed.isEmpty)
    #expect(names.found("h", by: first, now: .seconds(1)).proceeding.isEmpty)
    #expect(names.request("h", by: third, now: .seconds(50)) == .proceed)
    #expect(names.request("h", by: third, now: .seconds(60)) == .lookUp)
  }

  @Test func `a name beyond the maximum of known names is looked up again until others expire`() {
    var names = Lookups()
    let waiter = Waiter()
    func lookUp(_ name: String, at now: Duration) {
      #expect(names.request(name, by: waiter, now: now) == .lookUp)
      _ = names.found(name, by: waiter, now: now)
    }
    for number in 0..<4_096 { lookUp("\(number)", at: .seconds(1)) }
    lookUp("one more", at: .seconds(2))
    lookUp("one more", at: .seconds(3))
    #expect(names.request("0", by: waiter, now: .seconds(50)) == .proceed)
    lookUp("one more", at: .seconds(52))
    #expect(names.request("one more", by: waiter, now: .seconds(53)) == .proceed)
  }

  @Test func `a failed lookup fails all waiting requests, and the next request repeats it`() {
    var names = Lookups()
    let (first, second) = (Waiter(), Waiter())
    #expect(names.request("h", by: first, now: .zero) == .lookUp)
    #expect(names.request("h", by: second, now: .zero) == .wait)
    let release = names.failed("h", by: first)
    #expect(release.failed.first === second && release.proceeding.isEmpty)
    #expect(names.request("h", by: first, now: .zero) == .lookUp)
  }

  @Test func `a waiting request takes over the lookup of a cancelled request`() {
    var names = Lookups()
    let waiters = (0..<4).map { _ in Waiter() }
    for waiter in waiters { _ = names.request("h", by: waiter, now: .zero) }
    #expect(names.leave("h", by: waiters[1]).proceeding.isEmpty)
    #expect(names.leave("h", by: waiters[0]).proceeding.first === waiters[2])
    #expect(names.found("h", by: waiters[2], now: .zero).proceeding.first === waiters[3])
  }

  @Test func `a request that timed out takes over no lookup`() {
    var names = Lookups()
    let (first, second) = (Waiter(), Waiter())
    _ = names.request("h", by: first, now: .zero)
    _ = names.request("h", by: second, now: .zero)
    #expect(names.failed("h", by: second).proceeding.isEmpty)
    #expect(names.leave("h", by: first).proceeding.isEmpty)
    #expect(names.request("h", by: first, now: .zero) == .lookUp)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `in any order, each request ends and the number of lookups stays bounded`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var names = Lookups()
    var lookers: [(host: String, waiter: Waiter)] = []
    var waiting: [ObjectIdentifier: (host: String, waiter: Waiter)] = [:]
    var settled = 0
    func take(_ release: Lookups.Release, found host: String?) {
      settled += release.failed.count
      for waiter in release.failed { waiting[ObjectIdentifier(waiter)] = nil }
      for waiter in release.proceeding {
        guard let known = waiting.removeValue(forKey: ObjectIdentifier(waiter)) else {
          Issue.record("seed \(seed): released twice")
          continue
        }
        if known.host == host { settled += 1 } else { lookers.append(known) }
      }
    }
    func end(_ index: Int) {
      let (host, waiter) = lookers.remove(at: index)
      settled += 1
      switch Int.random(in: 0..<3, using: &random) {
      // In the past, so that the name is not known afterwards.
      case 0: take(names.found(host, by: waiter, now: .seconds(-100)), found: host)
      case 1: take(names.failed(host, by: waiter), found: nil)
      default: take(names.leave(host, by: waiter), found: nil)
      }
    }
    for _ in 0..<1_000 {
      let (host, waiter) = ("h\(Int.random(in: 0..<300, using: &random))", Waiter())
      switch names.request(host, by: waiter, now: .zero) {
      case .proceed: Issue.record("seed \(seed)")
      case .lookUp: lookers.append((host, waiter))
      case .wait: waiting[ObjectIdentifier(waiter)] = (host, waiter)
      }
      #expect(lookers.count <= Lookups.maxConcurrent && Set(lookers.map(\.host)).count == lookers.count)
      if Int.random(in: 0..<3, using: &random) == 0, let index = lookers.indices.randomElement(using: &random)
      {
        end(index)
      }
      if Int.random(in: 0..<8, using: &random) == 0,
        let cancelled = waiting.values.sorted(by: { $0.host < $1.host }).first
      {
        waiting[ObjectIdentifier(cancelled.waiter)] = nil
        take(names.leave(cancelled.host, by: cancelled.waiter), found: nil)
        settled += 1
      }
    }
    while !lookers.isEmpty { end(0) }
    #expect(settled == 1_000 && waiting.isEmpty, "seed \(seed): \(settled), \(waiting.count) waiting")
  }

  @Test(arguments: [
    ("http://a.example/x", true), ("https://a.example:8443?x", true), ("http://127.0.0.1:80/", false),
    ("http://[::1]/", false), ("http://1.example/", true), ("file:///x", false), ("https://h#x", true),
  ])
  func `host names are distinguished from addresses`(url: String, isName: Bool) {
    #expect(url.authority.hasHostName == isName)
  }

  @Test(.timeLimit(.minutes(1))) func `a request that waited for a lookup can time out in its body`()
    async throws
  {
    let origin = try RawOrigin { _ in
      [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"), .hold]
    }
    defer { origin.stop() }
    let transport = CurlTransport()
    var limits = TransferLimits()
    limits.total = .milliseconds(500)
    let request = TransportRequest(url: "http://localhost:\(origin.port)/", limits: limits)
    let errors = await withTaskGroup(of: LoadError?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          var request = request
          request.body = StreamingBody()
          do throws(LoadError) {
            _ = try await transport.exchange(request)
            return nil
          } catch { return error }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    await transport.close()
    for error in errors {
      #expect(error?.kind == .timeout, "\(error?.message ?? "no error")")
    }
  }

  /// The names are on loopback, so that libcurl resolves them itself. Each is the target of redirects from others.
  @Test(.timeLimit(.minutes(1)), arguments: 1...4 as ClosedRange<UInt64>)
  func `under random cancellation, no lookup is left without a request`(seed: UInt64) async throws {
    let origin = try TestOrigin { request in
      guard let target = request.query else { return OriginResponse() }
      return OriginResponse(status: 302, headers: ["location": "http://\(target)/"])
    }
    defer { origin.stop() }
    let port = String(origin.url("/").authority.split(separator: ":").last ?? "")
    let transport = CurlTransport()
    var random = SplitMix64(seed: seed)
    func name() -> String { "h\(Int.random(in: 0..<300, using: &random)).localhost:\(port)" }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<600 {
        if index >= 200 { await group.next() }
        var request = TransportRequest(url: "http://\(name())/?\(name())")
        if Int.random(in: 0..<3, using: &random) == 0 {
          request.limits.total = .microseconds(Int.random(in: 0..<20_000, using: &random))
        }
        let yields = Int.random(in: 0..<200, using: &random)
        group.addTask { [request] in
          let exchange = Task { try await transport.exchange(request) }
          if yields < 100 {
            for _ in 0..<yields { await Task.yield() }
            exchange.cancel()
          }
          _ = await exchange.result
        }
      }
    }
    for index in 0..<300 {
      var request = TransportRequest(url: "http://h\(index).localhost:\(port)/")
      request.limits.total = Duration.seconds(5)
      let response = try? await transport.exchange(request)
      #expect(response?.status == 200, "seed \(seed): h\(index) is not looked up")
    }
    await transport.close()
  }

  /// Returns the errors of `count` concurrent requests for a name without an address in libcurl.
  private func failures(
    of count: Int, timeout: Duration = .seconds(20), lacksAddress: @escaping @Sendable (String) -> Bool
  ) async -> [(error: LoadError, exchange: FailedExchange?)] {
    let transport = CurlTransport(
      CurlTransport.Configuration(), AddressResolution(lacksAddress: lacksAddress))
    var request = TransportRequest(url: "http://name.invalid:81/")
    request.limits.connect = timeout
    let failures = await withTaskGroup(of: (error: LoadError, exchange: FailedExchange?)?.self) { group in
      for _ in 0..<count {
        request.body = StreamingBody()
        group.addTask { [request] in
          do throws(LoadError) {
            _ = try await transport.exchange(request)
            return nil
          } catch { return (error, request.body.failure) }
        }
      }
      return await group.reduce(into: [(error: LoadError, exchange: FailedExchange?)]()) {
        if let failure = $1 { $0.append(failure) }
      }
    }
    await transport.close()
    return failures
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func `a failed lookup is retryable, and a name without an address is not`(lacksAddress: Bool) async {
    let calls = Mutex<[String]>([])
    let failures = await failures(of: 5) { host in
      calls.withLock { $0.append(host) }
      return lacksAddress
    }
    #expect(
      failures.count == 5
        && failures.allSatisfy { $0.error.kind == .dns && $0.error.isRetryable != lacksAddress })
    #expect(failures.allSatisfy { $0.exchange?.stage == .dns }, "\(failures)")
    #expect(!calls.withLock(\.self).isEmpty && calls.withLock(\.self).allSatisfy { $0 == "name.invalid" })
  }

  @Test(.timeLimit(.minutes(1)))
  func `the connect deadline ends the wait for a blocked resolver`() async {
    let end = DispatchSemaphore(value: 0)
    let failures = await failures(of: 1, timeout: .milliseconds(300)) { _ in
      end.wait()
      return true
    }
    end.signal()
    #expect(
      failures.count == 1 && failures.allSatisfy { $0.error.kind == .dns && $0.error.isRetryable },
      "\(failures)")
    #expect(failures.allSatisfy { $0.exchange?.timings.dns ?? .zero >= .milliseconds(200) }, "\(failures)")
  }

  /// A call of the resolver counts until it returns, even if its request has timed out.
  @Test(.timeLimit(.minutes(1)))
  func `the maximum of concurrent lookups includes calls of a blocked resolver`() async {
    let end = DispatchSemaphore(value: 0)
    let calls = Mutex(0)
    let transport = CurlTransport(
      CurlTransport.Configuration(),
      AddressResolution(lacksAddress: { _ in
        calls.withLock { $0 += 1 }
        end.wait()
        return true
      }))
    let maximum = NameLookups<Waiter>.maxConcurrent
    let kinds = await withTaskGroup(of: LoadError.Kind?.self) { group in
      for number in 0..<3 * maximum {
        // The label is too long, so that libcurl asks no name server.
        let host = "\(number)" + String(repeating: "x", count: 64)
        var request = TransportRequest(url: "http://\(host)/")
        request.limits.connect = .milliseconds(500)
        request.limits.total = .seconds(2)
        group.addTask { [request] in
          do throws(LoadError) {
            _ = try await transport.exchange(request)
            return nil
          } catch { return error.kind }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(kinds.allSatisfy { $0 == .dns || $0 == .timeout }, "\(Set(kinds))")
    #expect((1...maximum).contains(calls.withLock(\.self)), "\(calls.withLock(\.self))")
    // Each call that returns lets another one continue.
    for _ in 0..<maximum { end.signal() }
    await transport.close()
  }

  /// A name server may ignore some of many concurrent questions; the error is of the same kind.
  @Test(.timeLimit(.minutes(1))) func `many concurrent lookups of unknown names all fail with a DNS error`()
    async
  {
    let transport = CurlTransport()
    let kinds = await withTaskGroup(of: LoadError.Kind?.self) { group in
      for number in 0..<20 {
        group.addTask {
          do throws(LoadError) {
            _ = try await transport.exchange(TransportRequest(url: "http://dead-\(number).invalid/"))
            return nil
          } catch { return error.kind }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(kinds == [LoadError.Kind?](repeating: .dns, count: 20))
    await transport.close()
  }
}
