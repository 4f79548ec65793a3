package import Cellophane

/// The records of a list, before and after their loads.
extension BatchWork {
  /// The outcome of reading a record.
  package enum Claim: Sendable {
    /// The record must be loaded.
    case load(ImageRequest)
    /// An earlier record with this URL has a result, which this record takes over.
    case repeats(Repetition)
    /// The record needs no load: its output exists, or it has no valid URL, or it is one of another shard.
    /// Indirect, because most records are loads and would otherwise reserve memory for a result while they
    /// wait.
    indirect case finished(Ending)
  }

  /// A record with a result, for another record with its URL.
  package struct Repetition: Sendable {
    fileprivate let finished: RepeatedURLs.Finished
  }

  /// Claims the URL of `record`. Called for one record after the other, in the order of the list: the first
  /// record with a URL loads it, and the others take over its result.
  package func claim(_ record: ListRecord) -> Claim {
    let start = bytes.timeline.now
    var result = BatchResult(record)
    do throws(StagedError) {
      guard let request = try request(for: record, in: &result) else { return .finished(.otherShard) }
      if let output, !output.sharesFiles {
        let subject = subject(of: record, request)
        try BatchStage.output.run { () throws(LoadError) in try output.claimName(of: subject) }
        if let location = output.location(of: subject) {
          result.take(location)
          if options.addsHashes { result.cacheKey = bytes.cacheKey(of: request) }
          return .finished(.result(result, nil))
        }
      }
      let identity = identity(of: request, record)
      switch repetitions.claim(identity, record, at: start) {
      case .isFirst:
        if let output, output.sharesFiles {
          do throws(LoadError) { try output.claimName(of: subject(of: record, request)) } catch {
            repetitions.withdraw(identity)
            throw StagedError(error: error, stage: .output)
          }
        }
        return .load(request)
      case .waits: return .finished(.waits)
      case .repeats(let finished): return .repeats(Repetition(finished: finished))
      case .isLoaded:
        result.outcome = .duplicate
        // The key joins the duplicate with the result of the first record.
        if options.addsHashes { result.cacheKey = bytes.cacheKey(of: request) }
      }
    } catch {
      result.fail(error.error, at: error.stage)
    }
    result.duration = bytes.timeline.now - start
    return .finished(.result(result, nil))
  }

  /// Returns the result of `record`, which repeats another one.
  ///
  /// - Parameter begun: The time at which the record was read.
  package func ending(
    of record: ListRecord, repeating repetition: Repetition, begun: Duration
  ) async -> Ending {
    .result(await result(of: record, repeating: repetition.finished, begun: begun), nil)
  }

  /// Finishes `record`, which loaded `request`. Returns the results of the records that waited for it.
  package func finish(
    _ record: ListRecord, _ request: ImageRequest, _ result: BatchResult, _ item: Item?
  ) async -> [BatchResult] {
    let finished = RepeatedURLs.Finished(result, item)
    var results: [BatchResult] = []
    for waiting in repetitions.finish(identity(of: request, record), finished) {
      results.append(await self.result(of: waiting.record, repeating: finished, begun: waiting.begun))
    }
    return results
  }

  private func result(
    of record: ListRecord, repeating finished: RepeatedURLs.Finished, begun: Duration
  ) async -> BatchResult {
    var result = finished.result.repeated(by: record, hasSample: finished.item != nil)
    if let output, let item = finished.item {
      result.duration = bytes.timeline.now - begun
      let subject = OutputName.Subject(
        line: record.line, url: item.subject.url, key: item.subject.key, request: item.subject.request,
        otherFields: record.otherFields)
      do throws(LoadError) {
        let own = Item(
          subject: subject, result: result, body: item.body, picture: item.picture,
          decoder: item.decoder)
        // Names without a number can lead to the sample of the first record.
        result.file = try await output.keep(own).file ?? finished.result.file
      } catch {
        result.fail(error, at: .output)
      }
    }
    result.duration = bytes.timeline.now - begun
    return result
  }

  /// Returns the request of `record`, or nil if the record belongs to another shard.
  private func request(
    for record: ListRecord, in result: inout BatchResult
  ) throws(StagedError) -> ImageRequest? {
    var request: ImageRequest
    do throws(LoadError) {
      if let defect = record.defect { throw defect }
      var picture = options.picture ?? ImageOptions()
      if let crop = options.columns.crop { picture = picture.cropped(to: try crop.box(record.text)) }
      _ = try options.columns.verification?.expected(record.text)
      request = try Request(
        record.url, headers: options.headers, options: picture, priority: .normal,
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
}
