@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A transport that ends a cancelled exchange after 2 ms, as a transport over sockets does.
private struct SlowlyCancellingTransport: Transport {
  let inner: ScriptedTransport

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    do throws(LoadError) {
      return try await inner.exchange(request)
    } catch {
      if error.kind == .cancelled {
        let timeline = inner.timeline
        await timeline.spawn { try? await timeline.sleep(for: .milliseconds(2)) }.value
      }
      throw error
    }
  }
}

@Suite("Loads that begin during the cancellation of a transfer, in virtual time")
struct CancelledTransferTests {
  /// Returns a loader over an origin that supports ranges and validation. The body is one letter ten times, one byte
  /// every 10 ms. The letter changes every half second.
  private func world() -> LoaderWorld {
    let world = LoaderWorld(through: { SlowlyCancellingTransport(inner: $0) })
    world.origin.script("*") { [timeline = world.timeline] _ in
      let index = Int((timeline.now / .milliseconds(500)).rounded(.down)) % 26
      let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index)))
      let headers: HeaderFields = [
        "ETag": "\"\(letter)\"", "Accept-Ranges": "bytes", "Content-Length": "10",
        "Cache-Control": "no-cache",
      ]
      return .ok(String(repeating: letter, count: 10), headers).obeyingConditions()
        .after(.milliseconds(10)).inPieces(of: 1, every: .milliseconds(10))
    }
    return world
  }

  @Test("a new load resumes the partial body of a cancelled transfer after its end")
  func resumed() async {
    let world = world()
    let bytes = world.bytes
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
    world.time.run()
    // Four bytes have arrived at 45 ms. The transfer ends 2 ms later. The new head and each further byte take
    // 10 ms.
    #expect(results.value == ["cancelled", "aaaaaaaaaa at 117"])
    #expect(world.origin.requests.map { $0.headers["range"] ?? "" } == ["", "bytes=4-"])
    #expect(bytes.cache.cancelledTransfers.count == 0 && bytes.events.counters.resumedBytes == 4)
    #expect(await bytes.activity == (0, 0, 0))
  }

  @Test(
    "loads that begin and end at the same instants get one version each and leave nothing",
    arguments: 0..<20)
  func stress(seed: Int) async throws {
    let world = world()
    let bytes = world.bytes
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
    world.time.run()
    #expect(ended.value == 400 && succeeded.value > 0, "seed \(seed)")
    #expect(bytes.cache.cancelledTransfers.count == 0, "seed \(seed)")
    #expect(await bytes.activity == (0, 0, 0), "seed \(seed)")
  }
}
