internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/FailureAndRetry.md.

func configurationForShortWaits() -> ByteLoader.Configuration {
  var configuration = ByteLoader.Configuration()
  configuration.retry.retries = 1
  configuration.retry.longestWait = .seconds(3)
  configuration.limits.total = .seconds(15)
  return configuration
}

/// Loads an image within `time`. The wait for a permit and the decoding count.
func image(
  _ request: ImageRequest, from images: ImageLoader, within time: Duration
) async throws -> Image {
  try await withThrowingTaskGroup(of: Image.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await images.load(request).value }
    group.addTask {
      try await images.bytes.timeline.sleep(for: time)
      throw LoadError(.timeout, "no image within \(time)", isRetryable: true)
    }
    guard let image = try await group.next() else { throw LoadError.cancelled }
    return image
  }
}
