internal import Cellophane

extension Timeline {
  /// Returns a sequence of values at given times, in milliseconds from now, which ends at `end`.
  func input<Value: Sendable>(_ values: [(at: Int, value: Value)], endsAt end: Int) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    let start = now
    spawn {
      for (time, value) in values {
        try? await sleep(for: start + .milliseconds(time) - now)
        continuation.yield(value)
      }
      try? await sleep(for: start + .milliseconds(end) - now)
      continuation.finish()
    }
    return stream
  }

  /// Returns the elements of a sequence as `value@milliseconds`, followed by its end or its error.
  func record(_ sequence: some AsyncSequence, pausing pause: Duration = .zero) async -> [String] {
    var log: [String] = []
    do {
      for try await value in sequence {
        log.append("\(value)@\(Int((now / .milliseconds(1)).rounded()))")
        if pause > .zero { try await sleep(for: pause) }
      }
      log.append("end@\(Int((now / .milliseconds(1)).rounded()))")
    } catch {
      log.append("\(error)@\(Int((now / .milliseconds(1)).rounded()))")
    }
    return log
  }
}
