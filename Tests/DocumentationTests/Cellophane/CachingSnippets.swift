internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Caching.md.

func loaderWithCaches(in directory: String) -> ImageLoader {
  let bytes = ByteLoader(
    transport: CurlTransport(), disk: DiskCache(directory: directory, limit: 1 << 30))
  return ImageLoader(
    bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 128 << 20, eviction: .sieve),
    reuse: .untilStale)
}

func avatarRequest(_ url: String, token: String) throws(LoadError) -> ImageRequest {
  try ImageRequest(
    url, headers: ["authorization": "Bearer \(token)", "cache-control": "max-stale=3600"],
    account: "ada", options: ImageOptions(targetSize: PixelSize(width: 64, height: 64)))
}

func newestImage(_ request: ImageRequest, from images: ImageLoader) async throws(LoadError) -> Image {
  let loaded = try await images.load(request)
  return await loaded.refresh?.value?.value ?? loaded.value
}

func configurationForSignedURLs() -> ByteLoader.Configuration {
  var configuration = ByteLoader.Configuration()
  configuration.queryRules = [
    QueryRule(ignoring: ["X-Amz-Signature", "X-Amz-Date"], host: "cdn.example")
  ]
  configuration.ignoredHeaders = ["traceparent", "x-request-id"]
  return configuration
}

func forget(_ url: String, sizes: [PixelSize], in images: ImageLoader) async throws(LoadError) {
  for size in sizes { images.memory.remove(try ImageRequest(url, size: size).key) }
  let key = try ImageRequest(url).key.response
  await images.bytes.disk?.remove(for: key)
  await images.bytes.disk?.removePrefix(for: key)
}
