/// Partial bodies of interrupted transfers.
extension ResponseCache {
  /// Runs `request`, which resumes from the stored partial body of the target of `fetch`. Stores the partial body that
  /// a failure leaves; removes the stored one after a success.
  func resuming<Response>(
    _ fetch: Fetch, _ request: () async throws(LoadError) -> Response
  ) async throws(LoadError) -> Response {
    let target = fetch.target
    let stored = await partialBody(for: target)
    fetch.partial = stored
    let transfer = CancelledTransfers.Transfer()
    let isStorable = target.isStorable
    let result = await withTaskCancellationHandler { () -> Result<Response, LoadError> in
      do throws(LoadError) { return .success(try await request()) } catch { return .failure(error) }
    } onCancel: {
      if isStorable { cancelledTransfers.announce(transfer, of: target.key) }
    }
    var rest = fetch.partial
    switch result {
    case .success: rest = nil
    case .failure(let error): if error.saysGone { rest = nil }
    }
    cancelledTransfers.end(transfer, of: target.key, leaving: rest)
    await store(rest, replacing: stored, for: fetch)
    return try result.get()
  }

  /// Returns the partial body for `request`, from a transfer that is being cancelled or from disk; nil when the request
  /// is conditional, asks for a range or a file, or bypasses caches.
  private func partialBody(for request: ByteRequest) async -> Resumption? {
    guard request.terms.mayUseStored, !request.headers.isConditional, !request.isFile else { return nil }
    if let rest = await cancelledTransfers.rest(of: request.key) { return rest }
    return await disk?.prefix(for: diskKey(of: request.key)).flatMap {
      Resumption($0, limit: context.limits.bodyBytes)
    }
  }

  /// Stores `partial` instead of `former`, the partial body that is stored now.
  private func store(_ partial: Resumption?, replacing former: Resumption?, for fetch: Fetch) async {
    let target = fetch.target
    guard let disk, target.isStorable else { return }
    if let partial, let former, partial.isSame(as: former) { return }
    if let partial, let stored = partial.stored {
      await disk.store(stored, for: diskKey(of: target.key))
      context.events.emit(.prefixKept(fetch.request.key, bytes: partial.bytes.count))
    } else if former != nil {
      await disk.removePrefix(for: diskKey(of: target.key))
    }
  }
}
