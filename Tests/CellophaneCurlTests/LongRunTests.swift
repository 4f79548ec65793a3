internal import TestSupport

#if os(Linux)
  internal import CellophaneTestOrigin
  internal import CellophaneTesting
  internal import Foundation
  internal import Testing

  @testable internal import Cellophane

  @Suite("A long run", .timeLimit(.minutes(2)))
  struct LongRunTests {
    /// Runs in a process of its own, so that its descriptors, threads and memory can be counted.
    @Test("10 000 requests, many cancelled before, during and after, leave nothing behind")
    func nothingStays() async {
      await #expect(processExitsWith: .success) {
        // The pools' threads, the libraries' own descriptors and the allocator's arenas exist before
        // counting begins; also the descriptor of the clock, which the first one who really has to wait opens.
        try? await Timeline().sleep(for: .milliseconds(50))
        _ = await LongRun(seed: 0, requests: 2_000).play()
        let (before, resident) = (ProcessUsage.now, ProcessUsage.residentBytes)
        var seen = (left: 0, diskHits: 0, joined: 0)
        for seed in 1...5 {
          let counters = await LongRun(seed: seed, requests: 2_000).play()
          // What nearly all of a small picture has come of is finished.
          seen.left += counters.aborted + counters.finishedUnawaited
          seen.diskHits += counters.diskHits
          seen.joined += counters.joined
        }
        let (after, growth) = (ProcessUsage.now, ProcessUsage.residentBytes - resident)
        precondition(seen.left > 0 && seen.diskHits > 0 && seen.joined > 0, "\(seen): too little happened")
        precondition(after == before, "\(before) before, \(after) after")
        // 8 MB: less than 1 KB a request, so that one body or picture kept of each would show.
        precondition(growth < 8 << 20, "\(growth) bytes more in memory")
      }
    }
  }

  /// Requests for small pictures, through every stage there is, with seeded cancellation.
  private struct LongRun {
    /// When the caller gives up.
    private enum Patience: CaseIterable { case none, aMoment, aWhile, untilAfter, endless }

    let seed: Int
    let requests: Int
    /// More pictures than the caches hold, so that every tier answers.
    private static let pictures = 150
    /// Those that are always loaded anew. A reload and a load of the same URL are two transfers.
    private static let reloaded = 120

    func play() async -> LoadCounters {
      let directory = NSTemporaryDirectory() + "cellophane-long-run-" + UUID().uuidString
      defer { try? FileManager.default.removeItem(atPath: directory) }
      guard let bodies = try? (0..<Self.pictures).map(Self.body), let origin = try? Self.origin(of: bodies)
      else { preconditionFailure("no origin") }
      let curl = CurlTransport()
      let transport = OverlapTransport(curl)
      // 60 files of one block each: more than memory holds, and less than there are.
      let disk = DiskCache(directory: directory, limit: 60 * 4096)
      let bytes = ByteLoader(transport: transport, disk: disk)
      let loader = ImageLoader(bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 48_000))
      let answers = Shared([Int](repeating: 0, count: requests))
      let next = Shared(0)
      await withTaskGroup(of: Void.self) { group in
        // 64 at once: more than may transfer, so that some wait for their turn.
        for _ in 0..<64 {
          group.addTask {
            while let index = next.take(below: requests) {
              await ask(index, of: loader, at: origin)
              answers.update { $0[index] += 1 }
            }
          }
        }
      }
      precondition(answers.value.allSatisfy { $0 == 1 }, "seed \(seed): not every caller was answered once")
      await quiet(loader)
      // Evicts in the background, with the directory open.
      await disk.settle()
      let counters = loader.events.counters
      precondition(counters.failed == 0 && counters.decodingFailures == 0, "seed \(seed): \(counters)")
      await curl.close()
      precondition(transport.overlaps == 0, "seed \(seed): \(transport.overlaps) duplicates in flight")
      _ = await origin.counters { $0.openConnections == 0 && $0.inFlight == 0 }
      origin.stop()
      return counters
    }

    private func ask(_ index: Int, of loader: ImageLoader, at origin: TestOrigin) async {
      var random = SplitMix64(seed: seed << 32 | index)
      let number = Int.random(in: 0..<Self.pictures, using: &random)
      let patience = Patience.allCases.randomElement(using: &random) ?? .endless
      let moments = Int.random(in: 1..<200, using: &random)
      guard
        let request = try? Request(
          origin.url("/\(number)"), options: ImageOptions(),
          priority: Priority.allCases.randomElement(using: &random) ?? .normal,
          cachePolicy: number < Self.reloaded ? .standard : .reload)
      else { preconditionFailure("no request") }
      let begun = OneShot<Void>()
      let task = Task { () -> Result<Loaded<Image>, LoadError> in
        begun.settle(())
        do throws(LoadError) { return .success(try await loader.load(request)) } catch {
          return .failure(error)
        }
      }
      switch patience {
      case .none: task.cancel()
      case .aMoment:
        await begun.value
        task.cancel()
      case .aWhile:
        await begun.value
        for _ in 0..<moments { await Task.yield() }
        task.cancel()
      case .untilAfter, .endless: break
      }
      switch await task.value {
      case .success(let loaded):
        precondition(
          loaded.value.width == Self.width(of: number), "seed \(seed), request \(index): wrong picture")
      case .failure(let error):
        let isOurs = error == .cancelled && patience != .endless && patience != .untilAfter
        precondition(isOurs, "seed \(seed), request \(index), \(patience): \(error)")
      }
      if patience == .untilAfter { task.cancel() }
    }

    /// Callers return at once; the work they left behind ends in its own time, but it ends.
    private func quiet(_ loader: ImageLoader) async {
      while true {
        let (running, waiting, inFlight) = await loader.bytes.activity
        let (values, decoding) = await loader.activity
        if running + waiting + inFlight + values + decoding == 0 { return }
        await Task.yield()
      }
    }

    /// Tells which picture an answer is.
    private static func width(of number: Int) -> Int { 8 + number }

    private static func body(_ number: Int) throws -> [UInt8] {
      let image = try noise(width(of: number), 8, seed: UInt64(number))
      return try image.encoded(as: number.isMultiple(of: 2) ? .png : .jpeg(quality: 80))
    }

    private static func origin(of bodies: [[UInt8]]) throws -> TestOrigin {
      try TestOrigin { asked in
        guard let number = Int(asked.path.dropFirst()) else { return OriginResponse(status: 404) }
        let age = number % 4 == 0 ? "no-store" : "max-age=600"
        var answer = OriginResponse(headers: ["cache-control": age], body: bodies[number])
        if number % 3 == 0 { answer.delay = .microseconds(500) }
        if number % 7 == 0 { answer.pace = OriginResponse.Pace(bytes: 700, every: .microseconds(200)) }
        return answer
      }
    }
  }

  /// Counts how often a URL is asked for while it is being transferred. A transfer is over at the moment in which
  /// it is cancelled, although the origin hears of it later.
  private final class OverlapTransport: Transport {
    private let transport: CurlTransport
    private let running = Shared<[String: Int]>([:])
    private let seen = Shared(0)

    init(_ transport: CurlTransport) { self.transport = transport }

    var overlaps: Int { seen.value }

    func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
      let url = request.url
      let call = Shared(Call.new)
      // One that is cancelled before it begins never does: its successor may already run.
      func begin() {
        call.update { call in
          guard call == .new else { return }
          call = .running
          running.update { running in
            if running[url, default: 0] > 0 { seen.update { $0 += 1 } }
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
    /// The value, which then grows by one; nil once it has reached `end`.
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
