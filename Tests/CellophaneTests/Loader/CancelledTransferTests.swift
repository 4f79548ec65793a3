@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A transport that ends a cancelled exchange after 2 ms, as a transport over sockets does.
private struct SlowlyCancellingTransport: Transport {
  let inner: ScriptedTransport
  let timeline: Timeline

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    do throws(LoadError) {
      return try await inner.exchange(request)
    } catch {
      if error.kind == .cancelled {
        await timeline.spawn { try? await timeline.sleep(for: .milliseconds(2)) }.value
      }
      throw error
    }
  }
}

@Suite("Loads that begin during the cancellation of a transfer, in virtual time")
struct CancelledTransferTests {
  /// Returns a loader over an origin that supports ranges and validation. The body is one letter ten times,
  /// one byte every 10 ms. The letter changes every half second. `ranges` receives the range of each request.
  private func loader(_ time: VirtualTime, ranges: Shared<[String]>) -> ByteLoader {
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      let letter = UInt8(ascii: "a") + UInt8((timeline.now / .milliseconds(500)).rounded(.down)) % 26
      let tag = "\"\(Character(UnicodeScalar(letter)))\""
      let body = [UInt8](repeating: letter, count: 10)
      var response = TransportResponse(
        status: 200,
        headers: [
          "ETag": tag, "Accept-Ranges": "bytes", "Content-Length": "10", "Cache-Control": "no-cache",
        ],
        body: body, url: request.url)
      if request.headers["if-none-match"] == tag {
        (response.status, response.body) = (304, [])
      } else if request.headers["if-range"] == tag, let range = request.headers["range"],
        let first = Int(range.drop { $0 != "=" }.dropFirst().dropLast())
      {
        response.status = 206
        response.headers = ["ETag": tag, "Content-Range": "bytes \(first)-9/10"]
        response.body = Array(body[first...])
      }
      ranges.update { $0.append(request.headers["range"] ?? "") }
      return .init(
        after: .milliseconds(10),
        pieces: Array(repeating: .init(1, pause: .milliseconds(10)), count: response.body.count),
        .success(response))
    }
    return ByteLoader(
      transport: SlowlyCancellingTransport(inner: transport, timeline: timeline),
      disk: DiskCache(
        directory: "/cache", fileSystem: MemoryFileSystem(), executor: time.lane(), timeline: timeline),
      timeline: timeline)
  }

  @Test("a new load resumes the partial body of a cancelled transfer after its end")
  func resumed() async {
    let time = VirtualTime()
    let ranges = Shared<[String]>([])
    let bytes = loader(time, ranges: ranges)
    let results = Shared<[String]>([])
    for (start, end) in [(0, 45), (46, 1_000)] {
      let task = bytes.timeline.spawn {
        try? await bytes.timeline.sleep(for: .milliseconds(start))
        do throws(LoadError) {
          let loaded = try await bytes.load(NumberRequest(1))
          let text = String(decoding: loaded.bytes, as: UTF8.self)
          results.update { $0.append("\(text) at \(Int(bytes.timeline.now / .milliseconds(1)))") }
        } catch { results.update { $0.append(error.kind.rawValue) } }
      }
      bytes.timeline.spawn {
        try? await bytes.timeline.sleep(for: .milliseconds(end))
        task.cancel()
      }
    }
    time.run()
    // Four bytes have arrived at 45 ms. The transfer ends 2 ms later. The new head and each further byte take
    // 10 ms.
    #expect(results.value == ["cancelled", "aaaaaaaaaa at 117"])
    #expect(ranges.value == ["", "bytes=4-"])
    #expect(bytes.cache.cancelledTransfers.count == 0 && bytes.events.counters.resumedBytes == 4)
    #expect(await bytes.activity == (0, 0, 0))
  }

  @Test(
    "loads that begin and end at the same instants get one version each and leave nothing",
    arguments: 0..<20)
  func stress(seed: Int) async throws {
    let time = VirtualTime()
    let ranges = Shared<[String]>([])
    let bytes = loader(time, ranges: ranges)
    let timeline = bytes.timeline
    var random = SplitMix64(seed: seed)
    let (ended, succeeded) = (Shared(0), Shared(0))
    for _ in 0..<400 {
      // Few instants, so that many loads begin when the last waiter of a transfer is cancelled.
      let start = Duration.milliseconds(5 * Int.random(in: 0..<2_000, using: &random))
      let duration = Duration.milliseconds(5 * Int.random(in: 1..<40, using: &random))
      let task = timeline.spawn {
        try? await timeline.sleep(for: start)
        do throws(LoadError) {
          let loaded = try await bytes.load(NumberRequest(1))
          #expect(loaded.bytes.count == 10 && Set(loaded.bytes).count == 1, "seed \(seed)")
          succeeded.update { $0 += 1 }
        } catch {
          #expect(error == .cancelled, "seed \(seed)")
        }
        ended.update { $0 += 1 }
      }
      timeline.spawn {
        try? await timeline.sleep(for: start + duration)
        task.cancel()
      }
    }
    time.run()
    #expect(ended.value == 400 && succeeded.value > 0, "seed \(seed)")
    #expect(bytes.cache.cancelledTransfers.count == 0, "seed \(seed)")
    #expect(await bytes.activity == (0, 0, 0), "seed \(seed)")
  }
}
