package import Cellophane

/// The processing of one record: request, body, image and output.
package struct BatchWork: Sendable {
  /// The settings of all records.
  package struct Options: Sendable {
    /// The options of images; nil if bodies are not decoded.
    package var picture: ImageOptions?
    package var decoder: ImageDecoder
    package var headers: HeaderFields
    package var cachePolicy: CachePolicy
    /// Whether results contain the hash of the body and the key in the cache.
    package var addsHashes: Bool
    /// The part of the list that this run loads; nil for all records.
    package var shard: Shard?
    /// Throws an error for a URL that must not be loaded.
    package var check: @Sendable (_ url: String) throws(LoadError) -> Void

    package init(
      picture: ImageOptions?, decoder: ImageDecoder = ImageDecoder(), headers: HeaderFields = [:],
      cachePolicy: CachePolicy = .standard,
      addsHashes: Bool = true, shard: Shard? = nil,
      check: @escaping @Sendable (_ url: String) throws(LoadError) -> Void = { _ in }
    ) {
      (self.picture, self.decoder, self.headers, self.cachePolicy) = (picture, decoder, headers, cachePolicy)
      (self.addsHashes, self.shard, self.check) = (addsHashes, shard, check)
    }
  }

  /// A loaded record, for the output.
  package struct Item: Sendable {
    package let subject: OutputName.Subject
    /// The result, without the written file.
    package let result: BatchResult
    package let body: LoadedBytes
    /// The image with the header of its file.
    package let picture: (header: ImageHeader, image: Image)?
  }

  private let options: Options
  let bytes: ByteLoader
  private let images: ImageLoader
  private let seen: SeenURLs
  private let output: (any BatchOutput)?
  /// The limit of records in progress; nil if bodies are not decoded.
  let backlog: DecodingBacklog?

  /// - Parameter seed: The seed of the URL hashes; random except in tests.
  package init(
    _ options: Options, bytes: ByteLoader, output: (any BatchOutput)?,
    seed: UInt64 = .random(in: 0 ... .max)
  ) {
    self.options = options
    self.bytes = bytes
    self.output = output
    seen = SeenURLs(seed: seed)
    // A list loads each image once, so no image is cached in memory.
    let limits = DecodingLimits()
    images = ImageLoader(
      bytes: bytes, decoder: options.decoder, memory: MemoryCache(limit: 0), limits: limits)
    backlog =
      options.picture == nil ? nil : DecodingBacklog(decoders: limits.decoders, timeline: bytes.timeline)
  }

  /// The end of the processing of a record.
  package enum Ending: Sendable {
    case result(BatchResult)
    /// The record belongs to another shard.
    case otherShard
    /// The task was cancelled before there was a result.
    case cancelled
  }

  /// The clock of the loader.
  var timeline: Timeline { bytes.timeline }

  /// The outcome of reading a record.
  package enum Claim: Sendable {
    /// The record is the first one with this URL and must be loaded.
    case load(ImageRequest)
    /// The record needs no load: a duplicate, a record without a valid URL, or one of another shard.
    /// Indirect, because most records are loads and would otherwise reserve memory for a result while they
    /// wait.
    indirect case finished(Ending)
  }

  /// Claims the URL of `record`. Called for one record after the other, in the order of the list: the first
  /// record with a URL loads it, and all others are duplicates.
  package func claim(_ record: ListRecord) -> Claim {
    let start = bytes.timeline.now
    var result = BatchResult(record)
    do throws(StagedError) {
      guard let request = try request(for: record, in: &result) else { return .finished(.otherShard) }
      if seen.add(seen.hash(request.url)) { return .load(request) }
      result.outcome = .duplicate
      // The key joins the duplicate with the result of the first record.
      if options.addsHashes { result.cacheKey = bytes.cacheKey(of: request) }
    } catch {
      result.fail(error.error, at: error.stage)
    }
    result.duration = bytes.timeline.now - start
    return .finished(.result(result))
  }

  /// Loads `record`, which claimed `request`.
  ///
  /// - Parameters:
  ///   - begun: The time at which the record was read.
  ///   - waited: The time that the record spent in queues of hosts.
  package func ending(
    of record: ListRecord, _ request: ImageRequest, begun: Duration, waited: Duration
  ) async -> Ending {
    var result = BatchResult(record)
    result.timings.hostQueue = waited
    do throws(StagedError) {
      try await load(request, record, since: begun, into: &result)
    } catch {
      // A load cancelled for another reason is a failed record: every record of a complete run has a result.
      if error.error.kind == .cancelled, Task.isCancelled { return .cancelled }
      result.host = request.key.response.origin.description
      result.fail(error.error, at: error.stage, after: error.failure)
    }
    result.duration = bytes.timeline.now - begun
    return .result(result)
  }

  /// Returns the request of `record`, or nil if the record belongs to another shard.
  private func request(
    for record: ListRecord, in result: inout BatchResult
  ) throws(StagedError) -> ImageRequest? {
    var request: ImageRequest
    do throws(LoadError) {
      if let defect = record.defect { throw defect }
      request = try Request(
        record.url, headers: options.headers, options: options.picture ?? ImageOptions(), priority: .normal,
        cachePolicy: options.cachePolicy)
    } catch {
      if let shard = options.shard, !shard.holds(record.url) { return nil }
      result.url = CanonicalURL.withoutUser(record.url)
      throw StagedError(error: error, stage: .input)
    }
    if let shard = options.shard, !shard.holds(request) { return nil }
    if options.picture != nil { request.accept = options.decoder.acceptedTypes }
    do throws(LoadError) { try options.check(request.url) } catch {
      result.host = request.key.response.origin.description
      throw StagedError(error: error, stage: .input)
    }
    return request
  }

  private func load(
    _ request: ImageRequest, _ record: ListRecord, since begun: Duration, into result: inout BatchResult
  ) async throws(StagedError) {
    if options.addsHashes { result.cacheKey = bytes.cacheKey(of: request) }
    let subject = output.map { self.subject(of: record, request, for: $0) }
    if let output, let subject, let location = output.location(of: subject) {
      (result.outcome, result.isInOutput, result.file) = (.fresh, true, location.file)
      return
    }
    var body = try await body(of: request)
    result.take(body, isHashed: options.addsHashes)
    let picture = options.picture == nil ? nil : try await picture(of: &body, for: request, into: &result)
    guard let output, let subject else { return }
    result.duration = bytes.timeline.now - begun
    let item = Item(subject: subject, result: result, body: body, picture: picture)
    result.file = try BatchStage.output.run { () throws(LoadError) in try output.keep(item) }.file
  }

  /// Returns the naming input of `record`. A request with credentials has no key in the cache; the hash of
  /// its URL is used instead.
  private func subject(
    of record: ListRecord, _ request: ImageRequest, for output: any BatchOutput
  ) -> OutputName.Subject {
    let key =
      output.needsKeys
      ? bytes.requestKey(of: request) ?? XXH3.hexadecimal(Array(request.url.utf8)) : nil
    return OutputName.Subject(line: record.line, url: request.url, key: key)
  }

  private func body(of request: ImageRequest) async throws(StagedError) -> LoadedBytes {
    let observer = FetchObserver()
    do throws(LoadError) { return try await bytes.load(request, observer: observer) } catch {
      let failure = observer.failure
      throw StagedError(
        error: error, stage: BatchStage(ofLoad: error, at: failure?.exchange?.stage), failure: failure)
    }
  }

  private func picture(
    of body: inout LoadedBytes, for request: ImageRequest, into result: inout BatchResult
  ) async throws(StagedError) -> (header: ImageHeader, image: Image) {
    let start = bytes.timeline.now
    let observer = FetchObserver()
    backlog?.bodyArrived(body.bytes.count)
    defer {
      result.timings.decode = bytes.timeline.now - start
      backlog?.bodyDecoded()
    }
    do throws(LoadError) {
      let (bytes, image) = try await images.decodeOrReload(body, for: request, observer: observer)
      // A damaged cache entry was replaced by a response of the origin.
      if bytes.source != body.source { result.take(bytes, isHashed: options.addsHashes) }
      body = bytes
      (result.width, result.height, result.warnings) = (image.width, image.height, image.warnings)
      return (try options.decoder.header(of: body.bytes), image)
    } catch {
      throw StagedError(
        error: error.advisingReload(of: body),
        stage: BatchStage(of: error, body, request.options, options.decoder),
        failure: observer.failure)
    }
  }
}

extension LoadError {
  /// Returns the error, with advice if a cached body has no known format: the origin may have another body
  /// now.
  package func advisingReload(of body: LoadedBytes) -> LoadError {
    guard kind == .unsupported, body.source == .disk else { return self }
    return appending("; the response was cached, use --reload to request it again")
  }
}
