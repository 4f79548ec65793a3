@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A transport that takes a moment to give up, as one over sockets does.
private struct LingeringTransport: Transport {
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

@Suite("Who comes while a transfer is being given up, in virtual time")
struct RejoiningTests {
  /// A loader over an origin whose body is ten times the same letter, another one every half second, one byte every
  /// 10 ms; with ranges and conditions.
  private func loader(_ time: VirtualTime, asked: Shared<[String]>) -> ByteLoader {
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      let letter = UInt8(ascii: "a") + UInt8((timeline.now / .milliseconds(500)).rounded(.down)) % 26
      let tag = "\"\(Character(UnicodeScalar(letter)))\""
      let body = [UInt8](repeating: letter, count: 10)
      var answer = TransportResponse(
        status: 200,
        headers: [
          "ETag": tag, "Accept-Ranges": "bytes", "Content-Length": "10", "Cache-Control": "no-cache",
        ],
        body: body, url: request.url)
      if request.headers["if-none-match"] == tag {
        (answer.status, answer.body) = (304, [])
      } else if request.headers["if-range"] == tag, let range = request.headers["range"],
        let first = Int(range.drop { $0 != "=" }.dropFirst().dropLast())
      {
        answer.status = 206
        answer.headers = ["ETag": tag, "Content-Range": "bytes \(first)-9/10"]
        answer.body = Array(body[first...])
      }
      asked.update { $0.append(request.headers["range"] ?? "") }
      return .init(
        after: .milliseconds(10),
        pieces: Array(repeating: .init(1, pause: .milliseconds(10)), count: answer.body.count),
        .success(answer))
    }
    return ByteLoader(
      transport: LingeringTransport(inner: transport, timeline: timeline),
      disk: DiskCache(
        directory: "/cache", fileSystem: MemoryFileSystem(), executor: time.lane(), timeline: timeline),
      timeline: timeline)
  }

  @Test("goes on where that one was, once it has ended")
  func rejoined() async {
    let time = VirtualTime()
    let asked = Shared<[String]>([])
    let bytes = loader(time, asked: asked)
    let got = Shared<[String]>([])
    for (start, end) in [(0, 45), (46, 1_000)] {
      let task = bytes.timeline.spawn {
        try? await bytes.timeline.sleep(for: .milliseconds(start))
        do throws(LoadError) {
          let loaded = try await bytes.load(NumberRequest(1))
          let text = String(decoding: loaded.bytes, as: UTF8.self)
          got.update { $0.append("\(text) at \(Int(bytes.timeline.now / .milliseconds(1)))") }
        } catch { got.update { $0.append(error.kind.rawValue) } }
      }
      bytes.timeline.spawn {
        try? await bytes.timeline.sleep(for: .milliseconds(end))
        task.cancel()
      }
    }
    time.run()
    // Four bytes were there at 45 ms; it is over 2 ms later, the head comes after 10, and each of six bytes takes 10.
    #expect(got.value == ["cancelled", "aaaaaaaaaa at 117"])
    #expect(asked.value == ["", "bytes=4-"])
    #expect(bytes.cache.cancelledTransfers.count == 0 && bytes.events.counters.resumedBytes == 4)
    #expect(await bytes.activity == (0, 0, 0))
  }

  @Test(
    "thousands who come and leave in the same instants: one version for each, and nothing left",
    arguments: 0..<20)
  func stress(seed: Int) async throws {
    let time = VirtualTime()
    let asked = Shared<[String]>([])
    let bytes = loader(time, asked: asked)
    let timeline = bytes.timeline
    var random = SplitMix64(seed: seed)
    let (answers, whole) = (Shared(0), Shared(0))
    for _ in 0..<400 {
      // Few instants, so that many come in the one in which the last one leaves.
      let start = Duration.milliseconds(5 * Int.random(in: 0..<2_000, using: &random))
      let patience = Duration.milliseconds(5 * Int.random(in: 1..<40, using: &random))
      let task = timeline.spawn {
        try? await timeline.sleep(for: start)
        do throws(LoadError) {
          let loaded = try await bytes.load(NumberRequest(1))
          #expect(loaded.bytes.count == 10 && Set(loaded.bytes).count == 1, "seed \(seed)")
          whole.update { $0 += 1 }
        } catch {
          #expect(error == .cancelled, "seed \(seed)")
        }
        answers.update { $0 += 1 }
      }
      timeline.spawn {
        try? await timeline.sleep(for: start + patience)
        task.cancel()
      }
    }
    time.run()
    #expect(answers.value == 400 && whole.value > 0, "seed \(seed)")
    #expect(bytes.cache.cancelledTransfers.count == 0, "seed \(seed)")
    #expect(await bytes.activity == (0, 0, 0), "seed \(seed)")
  }
}
