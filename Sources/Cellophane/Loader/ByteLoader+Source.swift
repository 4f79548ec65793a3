extension ByteLoader {
  /// Loads the bytes of `fetch` from `source`. As many loads run for each scheme as transfers from an origin.
  ///
  /// - Throws: The error of the source; ``LoadError/Kind/bodyTooLarge`` beyond the limit of bodies; ``LoadError/cancelled``.
  nonisolated func load(_ fetch: Fetch, from source: RequestSource) async throws(LoadError) -> LoadedBytes {
    let bytes = try await sources.run(for: fetch.origin, priority: fetch.priority) {
      () throws(LoadError) in
      if Task.isCancelled { throw .cancelled }
      return try await source.load()
    }
    let limit = context.limits.bodyBytes
    guard bytes.count <= limit else {
      throw LoadError(
        .bodyTooLarge,
        "the source of \(fetch.request.key.url) has \(bytes.count) bytes; the limit is \(limit)")
    }
    // The bytes of a source never change.
    var headers: HeaderFields = ["cache-control": "max-age=31536000, immutable"]
    if let type = source.type { headers.append("content-type", type) }
    return fetch.finish(
      LoadedBytes(
        bytes: bytes, status: 200, headers: headers, source: .network,
        storedAt: context.timeline.secondsSince1970))
  }
}
