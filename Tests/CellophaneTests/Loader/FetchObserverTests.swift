internal import CellophaneTesting
internal import Testing

@testable internal import Cellophane
internal import TestSupport

@Suite("Fetch observers: what a failed load did, beside its error")
struct FetchObserverTests {
  @Test("a failure has the attempts and the exchange; a success has none")
  func failure() throws {
    let status = Shared(500)
    let world = NumberWorld {
      .init(
        .success(
          TransportResponse(
            status: status.value, headers: ["content-type": "text/plain"], body: [49], url: $0.url)))
    }
    let observer = FetchObserver()
    _ = world.time.run { try? await world.bytes.load(NumberRequest(1), observer: observer) }
    let failure = try #require(observer.failure)
    #expect(failure.attempts == 3 && failure.ownRefusals == 3 && failure.otherOrigin == nil)
    #expect(failure.exchange?.status == 500 && failure.exchange?.stage == .http)
    #expect(failure.exchange?.contentType == "text/plain")
    status.value = 200
    let loaded = world.time.run { try? await world.bytes.load(NumberRequest(1), observer: observer) }
    #expect(loaded??.bytes == [49] && observer.failure == nil)
  }

  @Test("a value that cannot be decoded is no failure of a fetch; a cancelled caller learns of none")
  func otherErrors() {
    let world = NumberWorld {
      .init(after: .seconds(1), .success(TransportResponse(status: 200, url: $0.url)))
    }
    let observer = FetchObserver()
    let kinds = world.time.run { () -> [LoadError.Kind] in
      var kinds: [LoadError.Kind] = []
      do throws(LoadError) { _ = try await world.loader.load(NumberRequest(1), observer: observer) } catch {
        kinds.append(error.kind)
      }
      let cancelled = FetchObserver()
      let task = world.timeline.spawn { @Sendable in
        _ = try? await world.loader.load(NumberRequest(2), observer: cancelled)
      }
      try? await world.timeline.sleep(for: .milliseconds(10))
      task.cancel()
      await task.value
      #expect(cancelled.failure == nil)
      return kinds
    }
    #expect(kinds?.count == 1 && kinds != [.cancelled] && observer.failure == nil)
  }
}
