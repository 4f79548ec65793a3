/// Stored responses of a byte loader: the disk cache, partial bodies, and failures that are known to last.
final class ResponseCache: Sendable {
  let disk: DiskCache?
  let context: FetchContext
  /// The transport, whose own header fields and partition are part of every key.
  private let transport: any Transport
  let commits = CommitOrder<ResponseKey>()
  let cancelledTransfers = CancelledTransfers()
  let failures = KnownFailures()

  init(_ disk: DiskCache?, over transport: any Transport, in context: FetchContext) {
    (self.disk, self.transport, self.context) = (disk, transport, context)
    disk?.onError { [weak events = context.events] in events?.emit(.diskFailed($0)) }
  }

  /// Returns the stored response for the target of `fetch`, fresh or stale. Nil for a redirect that would close a loop
  /// or that has just failed, and for a failure that is over: then the origin is asked.
  func response(for fetch: Fetch) async -> StoredResponse? {
    guard fetch.failedBranch == nil, let stored = await response(to: fetch.target) else { return nil }
    if stored.isFailure { return fetch.accepts(failure: stored) ? stored : nil }
    let isUsable =
      stored.redirectTarget == nil || fetch.chain.mayFollow(stored, identity: context.identity)
    return isUsable ? stored : nil
  }

  /// Returns the response that the origin chose for the header fields sent now (`Vary`), fresh or stale; for a request
  /// of a range also the part of a fresh response. Nil if the request forbids stored responses.
  func response(to request: ByteRequest) async -> StoredResponse? {
    guard request.terms.mayUseStored, !request.isFile else { return nil }
    if let response = await storedResponse(to: request, under: request.key) { return response }
    return await storedPart(for: request)
  }

  /// Returns the part of a fresh stored body that `request` asks for with one range and no condition; nil without one.
  /// Its offsets are those of the origin, because requests of ranges accept no content coding.
  private func storedPart(for request: ByteRequest) async -> StoredResponse? {
    var fields = request.key.headers
    guard let range = fields["range"].flatMap(ByteRange.init) else { return nil }
    fields["range"] = nil
    let key = ResponseKey(
      url: request.key.url, origin: request.key.origin, headers: fields, scope: request.key.scope)
    guard !fields.isConditional, var part = await storedResponse(to: request, under: key),
      part.status == 200, let content = range.part(of: part.body.count),
      request.terms.accept(part.freshness, at: context.timeline.secondsSince1970)
    else { return nil }
    part.status = 206
    part.headers["content-range"] = content.text
    part.body = Array(part.body[content.first...content.last])
    return part
  }

  /// Returns the response on disk under `key` for the header fields that `request` sends (`Vary`).
  func storedResponse(to request: ByteRequest, under key: ResponseKey) async -> StoredResponse? {
    let key = diskKey(of: key)
    guard let disk, let response = await disk.response(for: key),
      response.body.count <= context.limits.bodyBytes
    else { return nil }
    guard let variant = key.variant(of: response, sentWith: defaultHeaders(of: request)) else {
      return response.isVaryMarker ? nil : response
    }
    return await disk.response(for: variant).flatMap {
      $0.body.count <= context.limits.bodyBytes ? $0 : nil
    }
  }

  /// Returns the fields that are sent with `request` and are not part of its key: ignored ones, and those that the
  /// transport and the decoder add.
  private func defaultHeaders(of request: ByteRequest) -> HeaderFields {
    if request.accept == nil, request.ignoredHeaders.isEmpty { return transport.defaultHeaders }
    var headers = request.ignoredHeaders
    if let accept = request.accept, headers["accept"] == nil { headers.append("accept", accept) }
    for field in transport.defaultHeaders.fields where headers[field.name] == nil { headers.append(field) }
    return headers
  }

  /// Stores `response` for `request`; removes the stored one when `response` is nil. Returns why it failed, if it did.
  @discardableResult
  func store(_ response: StoredResponse?, for request: ByteRequest) async -> StoreFailure? {
    guard let disk, request.isStorable else { return nil }
    let (key, defaultHeaders) = (diskKey(of: request.key), defaultHeaders(of: request))
    guard var response, !CacheControl(response.headers).noStore else {
      if let old = await disk.response(for: key),
        let variant = key.variant(of: old, sentWith: defaultHeaders)
      {
        await disk.remove(for: variant)
      }
      await disk.remove(for: key)
      return nil
    }
    response.headers = response.headers.withoutSecrets
    guard let variant = key.variant(of: response, sentWith: defaultHeaders) else {
      return await disk.store(response, for: key)
    }
    // The variant and its marker are useless without each other.
    let failure = await disk.store(response, for: variant)
    return await disk.store(response.varyMarker, for: key) ?? failure
  }

  /// Removes the response for `key`, whose body is damaged.
  func remove(_ key: ResponseKey) async { await disk?.remove(for: diskKey(of: key)) }

  /// The key of the disk cache for `key`. Responses of transports with different partitions are stored separately.
  func diskKey(of key: ResponseKey) -> ResponseKey {
    guard let partition = transport.partition else { return key }
    var headers = key.headers
    headers.append(HeaderFields.partitionName, partition)
    return ResponseKey(url: key.url, origin: key.origin, headers: headers, scope: key.scope)
  }
}

extension ResponseKey {
  /// Returns the key of `response` when its origin chose it by header fields that the transport adds (`Vary`; RFC 9111,
  /// section 4.1); nil otherwise. The fields of the request are part of every key.
  fileprivate func variant(of response: StoredResponse, sentWith defaultHeaders: HeaderFields) -> ResponseKey?
  {
    // The usual case, read for every response.
    if !response.headers.fields.contains(where: { $0.name == "vary" }) { return nil }
    // Names without the comma between them count as well.
    let names = FieldList("vary", in: response.headers).flatMap { $0.split(whereSeparator: \.isBlank) }
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
    var chosenBy = headers
    for field in defaultHeaders.fields where headers[field.name] == nil && names.contains(field.name) {
      chosenBy.append(field.name, field.value)
    }
    return chosenBy.fields.count == headers.fields.count
      ? nil : ResponseKey(url: url, origin: origin, headers: chosenBy, scope: scope)
  }
}
