package import Cellophane

/// The processing of one record: request, body, image and output.
package struct BatchWork: Sendable {
  /// The settings of all records.
  package struct Options: Sendable {
    /// The options of images; nil if bodies are not decoded.
    package var picture: ImageOptions?
    package var decoder: ImageDecoder
    package var filter: PictureFilter
    /// The columns with the box and the expected hash of each record.
    package var columns = RecordColumns()
    package var headers: HeaderFields
    package var cachePolicy: CachePolicy
    /// Whether results contain the hash of the body and the key in the cache.
    package var addsHashes: Bool
    /// The hash function of the results.
    package var hash = BodyHash.xxh3
    /// Whether results contain the EXIF fields of the image.
    package var addsEXIF = false
    /// The part of the list that this run loads; nil for all records.
    package var shard: Shard?
    /// Throws an error for a URL that must not be loaded.
    package var check: @Sendable (_ url: String) throws(LoadError) -> Void

    package init(
      picture: ImageOptions?, decoder: ImageDecoder = ImageDecoder(),
      filter: PictureFilter = PictureFilter(), headers: HeaderFields = [:],
      cachePolicy: CachePolicy = .standard,
      addsHashes: Bool = true, shard: Shard? = nil,
      check: @escaping @Sendable (_ url: String) throws(LoadError) -> Void = { _ in }
    ) {
      (self.picture, self.decoder, self.headers, self.cachePolicy) = (picture, decoder, headers, cachePolicy)
      self.filter = filter
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
    /// The decoder of the image.
    package let decoder: ImageDecoder
  }

  let options: Options
  let bytes: ByteLoader
  private let images: ImageLoader
  let repetitions: RepeatedURLs
  let output: (any BatchOutput)?
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
    repetitions = RepeatedURLs(hasOutput: output != nil, seed: seed)
    // A list loads each image once, so no image is cached in memory.
    let limits = DecodingLimits()
    images = ImageLoader(
      bytes: bytes, decoder: options.decoder, memory: MemoryCache(limit: 0), limits: limits)
    backlog =
      options.picture == nil ? nil : DecodingBacklog(decoders: limits.decoders, timeline: bytes.timeline)
  }

  /// The end of the processing of a record.
  package enum Ending: Sendable {
    /// The record has a result. The image is nil unless other records with the URL need it.
    case result(BatchResult, Item?)
    /// The result follows that of an earlier record with the URL.
    case waits
    /// The record belongs to another shard.
    case otherShard
    /// The task was cancelled before there was a result.
    case cancelled
  }

  /// The clock of the loader.
  var timeline: Timeline { bytes.timeline }

  /// Loads `record`, which claimed `request`.
  ///
  /// - Parameters:
  ///   - begun: The time at which the record was read.
  ///   - waited: The time that the record spent in queues of hosts.
  ///   - tries: The maximum number of requests; nil for that of the loader.
  package func ending(
    of record: ListRecord, _ request: ImageRequest, begun: Duration, waited: Duration, tries: Int? = nil
  ) async -> Ending {
    var result = BatchResult(record)
    result.timings.hostQueue = waited
    var item: Item?
    do throws(StagedError) {
      item = try await load(request, record, since: begun, tries: tries, into: &result)
    } catch {
      // A load cancelled for another reason is a failed record: every record of a complete run has a result.
      if error.error.kind == .cancelled, Task.isCancelled { return .cancelled }
      result.host = request.key.response.origin.description
      result.fail(error.error, at: error.stage, after: error.failure)
    }
    result.duration = bytes.timeline.now - begun
    return .result(result, item)
  }

  /// Returns the loaded image, if other records with the URL need it.
  private func load(
    _ request: ImageRequest, _ record: ListRecord, since begun: Duration, tries: Int?,
    into result: inout BatchResult
  ) async throws(StagedError) -> Item? {
    if options.addsHashes { result.cacheKey = bytes.cacheKey(of: request) }
    let subject = output.map { _ in self.subject(of: record, request) }
    if let output, output.sharesFiles, let subject, let location = output.location(of: subject) {
      result.take(location)
      return nil
    }
    var body = try await body(of: request, tries: tries)
    try accept(body, of: record, into: &result)
    var picture: (header: ImageHeader, image: Image)?
    if options.picture != nil {
      let source = body.source
      picture = try await self.picture(of: &body, for: request, into: &result)
      // A damaged cache entry was replaced by a response of the origin.
      if body.source != source { try accept(body, of: record, into: &result) }
    }
    guard let output, let subject else { return nil }
    result.duration = bytes.timeline.now - begun
    let item = Item(
      subject: subject, result: result, body: body.withoutMemory, picture: picture,
      decoder: options.decoder)
    do throws(LoadError) { result.file = try await output.keep(item).file } catch {
      throw StagedError(error: error, stage: .output)
    }
    return output.sharesFiles ? nil : item
  }

  /// Returns the text by which records with one image and one result are recognized: the URL, with the box and the expected
  /// hash of the record.
  func identity(of request: ImageRequest, _ record: ListRecord) -> String {
    options.columns.identity(record.text).map { request.url + "\n" + $0 } ?? request.url
  }

  /// Returns the properties of `record` that determine its output. A request with credentials has no key in the cache: its
  /// name has the hash of its URL, and the index the hash of the request with a part of the hash of the credentials.
  func subject(of record: ListRecord, _ request: ImageRequest) -> OutputName.Subject {
    let key = bytes.requestKey(of: request)
    return OutputName.Subject(
      line: record.line, url: request.url, key: key ?? XXH3.hexadecimal(Array(request.url.utf8)),
      request: key == nil ? bytes.secretRequestKey(of: request) : nil, otherFields: record.otherFields)
  }

  private func body(of request: ImageRequest, tries: Int?) async throws(StagedError) -> LoadedBytes {
    let observer = FetchObserver()
    do throws(LoadError) {
      return try await bytes.load(request, observer: observer, retries: tries.map { $0 - 1 })
    } catch {
      let failure = observer.failure
      throw StagedError(
        error: error, stage: BatchStage(ofLoad: error, at: failure?.exchange?.stage), failure: failure)
    }
  }

  /// Sets the properties of a loaded body, and compares it with the expected hash.
  private func accept(
    _ body: LoadedBytes, of record: ListRecord, into result: inout BatchResult
  ) throws(StagedError) {
    try BatchStage.verify.run { () throws(LoadError) in
      try result.take(body, hash: options.addsHashes ? options.hash : nil)
      try options.columns.verification?.check(body, of: record)
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
      // Also a body from the cache.
      if !options.filter.isEmpty,
        case .refused(let error) = options.filter.verdict(on: body.bytes, options.decoder)
      {
        throw error
      }
      let (bytes, image) = try await images.decodeOrReload(body, for: request, observer: observer)
      body = bytes
      (result.width, result.height, result.warnings) = (image.width, image.height, image.warnings)
      let header = try options.decoder.header(of: body.bytes)
      result.originalSize = header.displaySize
      if options.addsEXIF {
        result.exif = JSONLine.members(
          of: try options.decoder.exifFields(of: body.bytes).map { ($0.name, $0.value) })
      }
      return (header, image)
    } catch {
      throw StagedError(
        error: error.advisingReload(of: body),
        stage: BatchStage(of: error, body, request.options, options.decoder),
        failure: observer.failure)
    }
  }
}

extension BatchResult {
  /// Sets the location of an output that an earlier run wrote.
  mutating func take(_ location: OutputLocation) {
    (outcome, isInOutput, file) = (.fresh, true, location.file)
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
