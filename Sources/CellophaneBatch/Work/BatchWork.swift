package import Cellophane

/// The road of one line: what it asks for, its bytes, its picture, and what is written of them.
package struct BatchWork: Sendable {
  /// What the lines ask for.
  package struct Order: Sendable {
    /// Nil for bytes that are not looked into.
    package var picture: ImageOptions?
    package var headers: HeaderFields
    package var cachePolicy: CachePolicy
    /// Whether results say what bodies are hashed to.
    package var hashesBodies: Bool
    /// The part of the list that is worked off here; nil for all of it.
    package var shard: Shard?
    /// What it throws keeps a URL from being loaded.
    package var check: @Sendable (_ url: String) throws(LoadError) -> Void

    package init(
      picture: ImageOptions?, headers: HeaderFields = [:], cachePolicy: CachePolicy = .standard,
      hashesBodies: Bool = true, shard: Shard? = nil,
      check: @escaping @Sendable (_ url: String) throws(LoadError) -> Void = { _ in }
    ) {
      (self.picture, self.headers, self.cachePolicy) = (picture, headers, cachePolicy)
      (self.hashesBodies, self.shard, self.check) = (hashesBodies, shard, check)
    }
  }

  /// What a line came to, for whoever keeps it.
  package struct Item: Sendable {
    package let subject: OutputName.Subject
    /// As far as it is known before it is written.
    package let result: BatchResult
    package let body: LoadedBytes
    /// The picture, and what its file says of it.
    package let picture: (header: ImageHeader, image: Image)?
  }

  private let order: Order
  let bytes: ByteLoader
  private let images: ImageLoader
  private let seen: SeenURLs
  private let output: (any BatchOutput)?
  /// Nil where nothing is decoded.
  let backlog: DecodingBacklog?

  /// - Parameter seed: Of what tells URLs apart; chance, but for tests.
  package init(
    _ order: Order, bytes: ByteLoader, output: (any BatchOutput)?, seed: UInt64 = .random(in: 0 ... .max)
  ) {
    self.order = order
    self.bytes = bytes
    self.output = output
    seen = SeenURLs(seed: seed)
    // No picture is asked for twice, so none is kept in memory.
    let limits = DecodingLimits()
    images = ImageLoader(bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 0), limits: limits)
    backlog =
      order.picture == nil ? nil : DecodingBacklog(decoders: limits.decoders, timeline: bytes.timeline)
  }

  /// How the road of a line ends.
  package enum Ending: Sendable {
    case result(BatchResult)
    /// The line is of another shard.
    case elsewhere
    /// The task was cancelled before the result was known.
    case cancelled
  }

  /// Where the time comes from.
  var timeline: Timeline { bytes.timeline }

  /// What a line comes to as it is read.
  package enum Claim: Sendable {
    /// It asks for something that no line before it has asked for.
    case load(ImageRequest)
    /// There is nothing to wait for: a duplicate, a line that asks for nothing, or one of another shard. Indirect, because
    /// most lines are loads, and each would have room for a result while it waits.
    indirect case over(Ending)
  }

  /// Claims what `record` asks for. Called for one line after another, in the order of the list: the first that asks for
  /// something gets it, and all others are its duplicates.
  package func claim(_ record: ListRecord) -> Claim {
    let start = bytes.timeline.now
    var result = BatchResult(record)
    do throws(StagedError) {
      guard let request = try request(for: record, in: &result) else { return .over(.elsewhere) }
      if seen.add(seen.hash(request.url)) { return .load(request) }
      result.outcome = .duplicate
      // By which it is joined with the result of the first.
      result.cacheKey = bytes.cacheKey(of: request)
    } catch {
      result.fail(error.error, at: error.stage)
    }
    result.duration = bytes.timeline.now - start
    return .over(.result(result))
  }

  /// What becomes of `record`, which claimed `request`.
  ///
  /// - Parameters:
  ///   - begun: When it was read.
  ///   - waited: How long it has stood in its host's line since.
  package func ending(
    of record: ListRecord, _ request: ImageRequest, begun: Duration, waited: Duration
  ) async -> Ending {
    var result = BatchResult(record)
    result.timings.hostLine = waited
    do throws(StagedError) {
      try await load(request, record, since: begun, into: &result)
    } catch {
      // Whatever else gave a load up is a result: every line has one.
      if error.error.kind == .cancelled, Task.isCancelled { return .cancelled }
      result.host = request.key.response.origin.description
      result.fail(error.error, at: error.stage)
    }
    result.duration = bytes.timeline.now - begun
    return .result(result)
  }

  /// What `record` asks for; nil when that is up to another shard.
  private func request(
    for record: ListRecord, in result: inout BatchResult
  ) throws(StagedError) -> ImageRequest? {
    let request: ImageRequest
    do throws(LoadError) {
      if let defect = record.defect { throw defect }
      request = try Request(
        record.url, headers: order.headers, options: order.picture ?? ImageOptions(), priority: .normal,
        cachePolicy: order.cachePolicy)
    } catch {
      if let shard = order.shard, !shard.holds(record.url) { return nil }
      result.url = CanonicalURL.withoutUser(record.url)
      throw StagedError(error: error, stage: .input)
    }
    if let shard = order.shard, !shard.holds(request) { return nil }
    do throws(LoadError) { try order.check(request.url) } catch {
      result.host = request.key.response.origin.description
      throw StagedError(error: error, stage: .input)
    }
    return request
  }

  private func load(
    _ request: ImageRequest, _ record: ListRecord, since begun: Duration, into result: inout BatchResult
  ) async throws(StagedError) {
    result.cacheKey = bytes.cacheKey(of: request)
    let subject = output.map { self.subject(of: record, request, for: $0) }
    if let output, let subject, let place = output.place(of: subject) {
      result.outcome = .fresh
      return result.file = place.file
    }
    var body = try await body(of: request)
    result.take(body, isHashed: order.hashesBodies)
    let picture = order.picture == nil ? nil : try await picture(of: &body, for: request, into: &result)
    guard let output, let subject else { return }
    result.duration = bytes.timeline.now - begun
    let item = Item(subject: subject, result: result, body: body, picture: picture)
    result.file = try BatchStage.output.run { () throws(LoadError) in try output.keep(item) }.file
  }

  /// What the file of `record` is named by. A request with credentials has no name in the cache: it gets that of its URL.
  private func subject(
    of record: ListRecord, _ request: ImageRequest, for output: any BatchOutput
  ) -> OutputName.Subject {
    let key =
      output.needsKeys
      ? bytes.requestKey(of: request) ?? XXH3.hexadecimal(Array(request.url.utf8)) : nil
    return OutputName.Subject(line: record.line, url: request.url, key: key)
  }

  private func body(of request: ImageRequest) async throws(StagedError) -> LoadedBytes {
    do throws(LoadError) { return try await bytes.load(request) } catch {
      throw StagedError(error: error, stage: BatchStage(ofLoad: error))
    }
  }

  private func picture(
    of body: inout LoadedBytes, for request: ImageRequest, into result: inout BatchResult
  ) async throws(StagedError) -> (header: ImageHeader, image: Image) {
    let start = bytes.timeline.now
    backlog?.bodyArrived(body.bytes.count)
    defer {
      result.timings.decode = bytes.timeline.now - start
      backlog?.bodyDecoded()
    }
    do throws(LoadError) {
      let (bytes, image) = try await images.decodeOrReload(body, for: request)
      // Damage on disk was replaced by what the origin has.
      if bytes.source != body.source { result.take(bytes, isHashed: order.hashesBodies) }
      body = bytes
      (result.width, result.height) = (image.width, image.height)
      return (try ImageDecoder().header(of: body.bytes), image)
    } catch {
      throw StagedError(
        error: error.namingWayOut(of: body), stage: BatchStage(of: error, body, request.options))
    }
  }
}

extension LoadError {
  /// The same, with what to do about a body on disk that is in no known format: its origin may have another by now.
  package func namingWayOut(of body: LoadedBytes) -> LoadError {
    guard kind == .unsupported, body.source == .disk else { return self }
    return LoadError(kind, message + "; it was in the cache, --reload asks the origin anew")
  }
}
