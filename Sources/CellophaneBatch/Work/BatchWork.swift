package import Cellophane

/// The road of one line: what it asks for, its bytes, its picture, and what is written of them.
package struct BatchWork: Sendable {
  /// What the lines ask for.
  package struct Order: Sendable {
    /// Nil for bytes that are not looked into.
    package var picture: ImageOptions?
    package var headers: HeaderFields
    package var cachePolicy: CachePolicy
    /// What it throws keeps a URL from being loaded.
    package var check: @Sendable (_ url: String) throws(LoadError) -> Void

    package init(
      picture: ImageOptions?, headers: HeaderFields = [:], cachePolicy: CachePolicy = .standard,
      check: @escaping @Sendable (_ url: String) throws(LoadError) -> Void = { _ in }
    ) {
      (self.picture, self.headers, self.cachePolicy, self.check) = (picture, headers, cachePolicy, check)
    }
  }

  /// What a line came to, for whoever keeps it.
  package struct Item: Sendable {
    package let record: ListRecord
    package let body: LoadedBytes
    /// The picture, and what its file says of it.
    package let picture: (header: ImageHeader, image: Image)?
  }

  /// Writes what a line came to.
  package typealias Keep = @Sendable (Item) throws(LoadError) -> Void

  private let order: Order
  private let bytes: ByteLoader
  private let images: ImageLoader
  private let seen: SeenURLs
  private let keep: Keep?

  /// - Parameter seed: Of what tells URLs apart; chance, but for tests.
  package init(_ order: Order, bytes: ByteLoader, keep: Keep?, seed: UInt64 = .random(in: 0 ... .max)) {
    self.order = order
    self.bytes = bytes
    self.keep = keep
    seen = SeenURLs(seed: seed)
    // No picture is asked for twice, so none is kept in memory.
    images = ImageLoader(bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 0))
  }

  /// What becomes of `record`; nil when the task is cancelled before that is known.
  package func result(of record: ListRecord) async -> BatchResult? {
    let start = bytes.timeline.now
    var result = BatchResult(record)
    do throws(StagedError) {
      // Fast path: what is written as a URL that was seen is that one; nothing is made of it.
      if record.defect == nil, seen.contains(seen.hash(record.url)) {
        result.outcome = .duplicate
      } else {
        let request = try request(for: record, in: &result)
        if seen.add(seen.hash(request.url)) {
          try await load(request, record, into: &result)
        } else {
          result.outcome = .duplicate
        }
      }
    } catch {
      if error.error.kind == .cancelled { return nil }
      result.fail(error.error, at: error.stage)
    }
    result.duration = bytes.timeline.now - start
    return result
  }

  private func request(
    for record: ListRecord, in result: inout BatchResult
  ) throws(StagedError) -> ImageRequest {
    do throws(LoadError) {
      if let defect = record.defect { throw defect }
      let request = try Request(
        record.url, headers: order.headers, options: order.picture ?? ImageOptions(), priority: .normal,
        cachePolicy: order.cachePolicy)
      try order.check(request.url)
      return request
    } catch {
      result.url = CanonicalURL.withoutUser(record.url)
      throw StagedError(error: error, stage: .input)
    }
  }

  private func load(
    _ request: ImageRequest, _ record: ListRecord, into result: inout BatchResult
  ) async throws(StagedError) {
    result.cacheKey = bytes.cacheKey(of: request)
    let body = try await body(of: request)
    result.take(body)
    let picture = order.picture == nil ? nil : try await picture(of: body, for: request, into: &result)
    guard let keep else { return }
    try BatchStage.output.run { () throws(LoadError) in
      try keep(Item(record: record, body: body, picture: picture))
    }
  }

  private func body(of request: ImageRequest) async throws(StagedError) -> LoadedBytes {
    do throws(LoadError) { return try await bytes.load(request) } catch {
      throw StagedError(error: error, stage: BatchStage(ofLoad: error))
    }
  }

  private func picture(
    of body: LoadedBytes, for request: ImageRequest, into result: inout BatchResult
  ) async throws(StagedError) -> (header: ImageHeader, image: Image) {
    let start = bytes.timeline.now
    defer { result.timings.decode = bytes.timeline.now - start }
    do throws(LoadError) {
      let header = try ImageDecoder().header(of: body.bytes)
      let image = try await images.decode(body, for: request)
      (result.width, result.height) = (image.width, image.height)
      return (header, image)
    } catch {
      throw StagedError(error: error, stage: .decode)
    }
  }
}
