internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Observability.md.

/// Logs failures until the loader is released or the task is cancelled.
func logFailures(of loader: ByteLoader, to log: @Sendable (String) -> Void) async {
  for await event in loader.events.events() {
    switch event.kind {
    case .transferFailed(let key, let error, _), .decodingFailed(let key, let error):
      log("\(event.time) \(key.url): \(error)")
    case .retrying(let key, let error, let pause):
      log("\(event.time) \(key.url): retry in \(pause) after \(error)")
    case .diskFailed(let error):
      log("\(event.time) disk cache: \(error)")
    default:
      break
    }
  }
}

/// One sample of the metrics of a service.
struct LoaderMetrics: Sendable {
  let counters: LoadCounters
  let memory: MemoryCounters
  let disk: DiskCounters?
  let running: Int
  let waiting: Int

  init(_ images: ImageLoader) async {
    (memory, counters) = images.counters
    disk = await images.bytes.disk?.counters
    (running, waiting, _) = await images.bytes.activity
  }

  /// The share of received bytes that no request used.
  var wastedShare: Double {
    counters.receivedBytes == 0 ? 0 : Double(counters.wastedBytes) / Double(counters.receivedBytes)
  }
}

/// The time that a request spent on the network, step by step.
func timings(_ request: Request<NoOptions>, from bytes: ByteLoader) async -> TransferTimings? {
  let observer = FetchObserver()
  do throws(LoadError) {
    return try await bytes.load(request, observer: observer).fetchMetrics?.timings
  } catch {
    return observer.failure?.exchange?.timings
  }
}
