internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/FailureAndRetry.md.

func configurationForShortWaits() -> ByteLoader.Configuration {
  var configuration = ByteLoader.Configuration()
  configuration.retry.retries = 1
  configuration.retry.longestWait = .seconds(3)
  configuration.limits.total = .seconds(15)
  return configuration
}

/// Loads an image within `time`. The wait for a transfer slot and the decoding count.
func image(
  at url: String, from images: ImageLoader, within time: Duration
) async throws(LoadError) -> Image {
  try await images.load(ImageRequest(url, deadline: time)).value
}
