/// The part of the road that leads over the disk: what it has for a request, and what it gets.
extension ByteLoader {
  /// The response on disk that was chosen by what is sent now, fresh or stale.
  nonisolated func stored(_ errand: Errand) async -> StoredResponse? {
    let key = diskKey(of: errand.key)
    guard let disk, errand.terms.mayUseStored, !errand.isFile, let response = await disk.response(for: key),
      response.body.count <= limits.bodyBytes
    else { return nil }
    guard let variant = key.variant(of: response, sentWith: transport.defaultHeaders) else {
      return response.isSignpost ? nil : response
    }
    return await disk.response(for: variant).flatMap { $0.body.count <= limits.bodyBytes ? $0 : nil }
  }

  /// Puts `response` on disk in place of what was there; nothing, when it is nil. Returns why it could not.
  @discardableResult
  nonisolated func keep(_ response: StoredResponse?, of errand: Errand) async -> StoreFailure? {
    guard let disk, errand.terms.mayStore, !errand.isFile else { return nil }
    let (key, defaultHeaders) = (diskKey(of: errand.key), transport.defaultHeaders)
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
    // One is of no use without the other.
    let loss = await disk.store(response, for: variant)
    return await disk.store(response.signpost, for: key) ?? loss
  }

  /// Removes what is damaged.
  nonisolated func forget(_ key: ResponseKey) async { await disk?.remove(for: diskKey(of: key)) }

  /// What the request is hashed to in the name of its file on disk, which 32 hexadecimal digits begin; nil without a disk
  /// cache, and for a request that it never keeps.
  package nonisolated func cacheKey(of request: Request<some Hashable & Sendable>) -> String? {
    disk == nil ? nil : requestKey(of: request)
  }

  /// The same, whether there is a disk cache or not.
  package nonisolated func requestKey(of request: Request<some Hashable & Sendable>) -> String? {
    guard let key = diskKey(of: named(request).key.response).canonicalBytes else { return nil }
    return XXH3.hexadecimal(key)
  }

  /// Under what the disk has the response for `key`: beside what transports of another partition brought.
  nonisolated func diskKey(of key: ResponseKey) -> ResponseKey {
    guard let partition = transport.partition else { return key }
    var headers = key.headers
    headers.append(HeaderFields.partitionName, partition)
    return ResponseKey(url: key.url, origin: key.origin, headers: headers, scope: key.scope)
  }
}

extension Errand {
  /// What is a file already has no second one.
  fileprivate var isFile: Bool { key.origin.scheme == "file" }
}

extension ResponseKey {
  /// Under what `response` is kept when its origin chose it by fields that the transport sends of its own (`Vary`;
  /// RFC 9111, section 4.1); nil when it did not. Those of the request are part of every key.
  fileprivate func variant(of response: StoredResponse, sentWith defaultHeaders: HeaderFields) -> ResponseKey?
  {
    // Nearly always so, and read for every response.
    if response.headers["vary"] == nil { return nil }
    // Where the comma is forgotten, both names are meant.
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
