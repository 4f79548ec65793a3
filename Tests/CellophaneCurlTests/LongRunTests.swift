internal import TestSupport

#if os(Linux)
  internal import CellophaneTestOrigin
  internal import CellophaneTesting
  internal import Foundation
  internal import Testing

  @testable internal import Cellophane

  @Suite("A long run", .timeLimit(.minutes(2)))
  struct LongRunTests {
    /// Runs in a separate process, so that the test can count descriptors, threads and memory.
    @Test("10 000 requests, many of them cancelled, leak no descriptors, threads or memory")
    func leaks() async {
      await #expect(processExitsWith: .success) {
        // Creates the threads of the pools, the descriptors of the libraries and the arenas of the allocator
        // before the test counts them; also the clock's descriptor, which the first wait opens.
        try? await Timeline().sleep(for: .milliseconds(50))
        _ = await LongRun(seed: 0, requests: 2_000).play()
        let (before, resident) = (ProcessUsage.now, ProcessUsage.residentBytes)
        var totals = (cancelled: 0, diskHits: 0, joined: 0)
        for seed in 1...5 {
          let counters = await LongRun(seed: seed, requests: 2_000).play()
          // A cancelled transfer continues if it is nearly complete.
          totals.cancelled += counters.aborted + counters.finishedUnawaited
          totals.diskHits += counters.diskHits
          totals.joined += counters.joined
        }
        let (after, growth) = (ProcessUsage.now, ProcessUsage.residentBytes - resident)
        precondition(
          totals.cancelled > 0 && totals.diskHits > 0 && totals.joined > 0, "\(totals): a case did not occur")
        precondition(after == before, "\(before) before, \(after) after")
        // 8 MB: less than 1 KB per request, so a leaked body or image per request exceeds it.
        precondition(growth < 8 << 20, "\(growth) bytes more in memory")
      }
    }
  }

  /// Requests for small images through all stages, with cancellation at random, seeded times.
  private struct LongRun {
    /// The time at which a caller cancels its request.
    private enum Cancellation: CaseIterable { case immediate, afterStart, later, afterEnd, never }

    let seed: Int
    let requests: Int
    /// More images than the caches hold, so that memory, disk and network all respond.
    private static let images = 150
    /// The images from this number on are always reloaded. A reload and a load of the same URL are two transfers.
    private static let firstReloaded = 120

    func play() async -> LoadCounters {
      let directory = NSTemporaryDirectory() + "cellophane-long-run-" + UUID().uuidString
      defer { try? FileManager.default.removeItem(atPath: directory) }
      guard let bodies = try? (0..<Self.images).map(Self.body), let origin = try? Self.origin(of: bodies)
      else { preconditionFailure("no origin") }
      let curl = CurlTransport()
      let transport = OverlapTransport(curl)
      // 60 files of one block each: more than memory holds, and fewer than all images.
      let disk = DiskCache(directory: directory, limit: 60 * 4096)
      let bytes = ByteLoader(transport: transport, disk: disk)
      let loader = ImageLoader(bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 48_000))
      let ends = Shared([Int](repeating: 0, count: requests))
      let next = Shared(0)
      await withTaskGroup(of: Void.self) { group in
        // 64 at a time: more than the gate admits, so some wait.
        for _ in 0..<64 {
          group.addTask {
            while let index = next.take(below: requests) {
              await load(index, with: loader, from: origin)
              ends.update { $0[index] += 1 }
            }
          }
        }
      }
      precondition(ends.value.allSatisfy { $0 == 1 }, "seed \(seed): not every load ended once")
      await waitUntilIdle(loader)
      // The cache evicts in the background, with the directory open.
      await disk.settle()
      let counters = loader.events.counters
      precondition(counters.failed == 0 && counters.decodingFailures == 0, "seed \(seed): \(counters)")
      await curl.close()
      precondition(transport.overlaps == 0, "seed \(seed): \(transport.overlaps) duplicates in flight")
      _ = await origin.counters { $0.openConnections == 0 && $0.inFlight == 0 }
      origin.stop()
      return counters
    }

    private func load(_ index: Int, with loader: ImageLoader, from origin: TestOrigin) async {
      var random = SplitMix64(seed: seed << 32 | index)
      let number = Int.random(in: 0..<Self.images, using: &random)
      let cancellation = Cancellation.allCases.randomElement(using: &random) ?? .never
      let yields = Int.random(in: 1..<200, using: &random)
      guard
        let request = try? Request(
          origin.url("/\(number)"), options: ImageOptions(),
          priority: Priority.allCases.randomElement(using: &random) ?? .normal,
          cachePolicy: number < Self.firstReloaded ? .standard : .reload)
      else { preconditionFailure("no request") }
      let started = OneShot<Void>()
      let task = Task { () -> Result<Loaded<Image>, LoadError> in
        started.settle(())
        do throws(LoadError) { return .success(try await loader.load(request)) } catch {
          return .failure(error)
        }
      }
      switch cancellation {
      case .immediate: task.cancel()
      case .afterStart:
        await started.value
        task.cancel()
      case .later:
        await started.value
        for _ in 0..<yields { await Task.yield() }
        task.cancel()
      case .afterEnd, .never: break
      }
      switch await task.value {
      case .success(let loaded):
        precondition(
          loaded.value.width == Self.width(of: number), "seed \(seed), request \(index): wrong image")
      case .failure(let error):
        let isExpected = error == .cancelled && cancellation != .never && cancellation != .afterEnd
        precondition(isExpected, "seed \(seed), request \(index), \(cancellation): \(error)")
      }
      if cancellation == .afterEnd { task.cancel() }
    }

    /// Waits for the work of cancelled callers, which return before it ends.
    private func waitUntilIdle(_ loader: ImageLoader) async {
      while true {
        let (running, waiting, inFlight) = await loader.bytes.activity
        let (values, decoding) = await loader.activity
        if running + waiting + inFlight + values + decoding == 0 { return }
        await Task.yield()
      }
    }

    /// Returns the width of an image, which identifies it.
    private static func width(of number: Int) -> Int { 8 + number }

    private static func body(_ number: Int) throws -> [UInt8] {
      let image = try noise(width(of: number), 8, seed: UInt64(number))
      return try image.encoded(as: number.isMultiple(of: 2) ? .png : .jpeg(quality: 80))
    }

    private static func origin(of bodies: [[UInt8]]) throws -> TestOrigin {
      try TestOrigin { request in
        guard let number = Int(request.path.dropFirst()) else { return OriginResponse(status: 404) }
        let age = number % 4 == 0 ? "no-store" : "max-age=600"
        var response = OriginResponse(headers: ["cache-control": age], body: bodies[number])
        if number % 3 == 0 { response.delay = .microseconds(500) }
        if number % 7 == 0 { response.pace = OriginResponse.Pace(bytes: 700, every: .microseconds(200)) }
        return response
      }
    }
  }

  /// A transport that counts requests for a URL with a running transfer. A transfer ends when it is cancelled,
  /// before the origin detects that.
  private final class OverlapTransport: Transport {
    private let transport: CurlTransport
    private let running = Shared<[String: Int]>([:])
    private let overlapCount = Shared(0)

    init(_ transport: CurlTransport) { self.transport = transport }

    var overlaps: Int { overlapCount.value }

    func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
      let url = request.url
      let call = Shared(Call.new)
      // An exchange that was cancelled before its start does not count: the next one for its URL may already run.
      func begin() {
        call.update { call in
          guard call == .new else { return }
          call = .running
          running.update { running in
            if running[url, default: 0] > 0 { overlapCount.update { $0 += 1 } }
            running[url, default: 0] += 1
          }
        }
      }
      @Sendable func end() {
        call.update { call in
          if call == .running { running.update { $0[url, default: 1] -= 1 } }
          call = .over
        }
      }
      let result: Result<TransportResponse, LoadError> = await withTaskCancellationHandler {
        begin()
        do throws(LoadError) { return .success(try await transport.exchange(request)) } catch {
          return .failure(error)
        }
      } onCancel: {
        end()
      }
      end()
      return try result.get()
    }

    private enum Call { case new, running, over }
  }

  extension Shared<Int> {
    /// Returns the value and increments it; nil once it has reached `end`.
    fileprivate func take(below end: Int) -> Int? {
      var taken: Int?
      update { value in
        guard value < end else { return }
        taken = value
        value += 1
      }
      return taken
    }
  }
#endif
