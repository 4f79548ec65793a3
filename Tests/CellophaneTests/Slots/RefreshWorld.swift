@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A loader over an origin with numbers that change every 20 s: number 3 has the values 3001, 3002, … They
/// are fresh for 10 s, and then answer during a refresh.
struct RefreshWorld: TestWorld {
  let base: LoaderWorld
  private let numbers: NumberWorld
  /// The status of the responses; nil for success.
  let failureStatus = Shared<Int?>(nil)
  /// The `Cache-Control` of the responses; nil for the default.
  let cacheControl = Shared<String?>(nil)

  init(
    memory: Int = 80_000, freshFor: Int = 10, reuse: MemoryReuse = .untilEvicted,
    configuration: ByteLoader.Configuration = .init(),
    delay: @escaping @Sendable (TransportRequest) -> Duration = { _ in .seconds(1) }
  ) {
    base = LoaderWorld {
      $0 = configuration
      // Retries would change the times of the exchanges.
      $0.retry.retries = 0
    }
    numbers = NumberWorld(base, memory: MemoryCache(limit: memory), reuse: reuse)
    origin.script("*") { [failureStatus, cacheControl, timeline] request in
      let version = 1 + timeline.now.components.seconds / 20
      let headers: HeaderFields = [
        "cache-control": cacheControl.value ?? "max-age=\(freshFor), stale-while-revalidate=1000",
        "etag": "\"\(version)\"",
      ]
      let answer: ScriptedTransport.Answer =
        failureStatus.value.map { .status($0, headers) }
        ?? .ok("\(request.number * 1_000 + Int(version))", headers).obeyingConditions()
      return answer.after(delay(request))
    }
  }

  var loader: ResourceLoader<NumberDecoder> { numbers.loader }

  func sleep(_ seconds: Double) async { try? await timeline.sleep(for: .seconds(seconds)) }

  /// Loads `number`. Returns the value with its source or `stale`, or `error`.
  func load(_ number: Int, policy: CachePolicy = .standard) async -> String {
    guard let loaded = try? await loader.load(NumberRequest(number, policy: policy)) else { return "error" }
    return "\(loaded.value) \(loaded.isStale ? "stale" : loaded.source.rawValue)"
  }

  /// Removes all values from memory, as a restart does.
  func clearMemory() { loader.memory.trim(to: 0) }

  func isIdle() async -> Bool { await numbers.isIdle() }
}

/// A screen with several slots, and the states of each.
actor RefreshScreen {
  private var slots: [Slot<NumberDecoder>] = []
  private let log: Shared<[[String]]>
  nonisolated var states: [[String]] { log.value }

  init(_ world: RefreshWorld, slots count: Int, drawing: TimeDrawing? = nil) {
    let log = Shared<[[String]]>(Array(repeating: [], count: count))
    self.log = log
    slots = (0..<count).map { index in
      Slot(world.loader) { state in
        log.update { $0[index].append(state.text) }
        drawing?.mark("slot \(index)", state.mark)
      }
    }
  }

  func show(_ number: Int?, in slot: Int) { slots[slot].show(number.map { NumberRequest($0) }) }
  func value(in slot: Int) -> Int? { slots[slot].state.value }
  func release() { slots = [] }
}
