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

// The code in the comment of LoadTask.

@MainActor protocol ProgressBar: AnyObject { var fraction: Double { get set } }

@MainActor func watch(
  _ request: ImageRequest, from images: ImageLoader, in bar: any ProgressBar
) async throws(LoadError) -> Image {
  let task = images.task(for: request)
  for await progress in task.progress { bar.fraction = progress.fraction ?? 0 }
  let image = try await task.value.value
  return image
}

/// Loads an image that is needed now, although its load began for a later page.
func hurry(_ task: LoadTask<Image>) async throws(LoadError) -> Image {
  task.priority = .visible
  let loaded = try await task.value
  if let timings = task.timings {
    print(timings.total, timings.fetch?.queue ?? .zero, timings.decoding ?? .zero)
  }
  return loaded.value
}
