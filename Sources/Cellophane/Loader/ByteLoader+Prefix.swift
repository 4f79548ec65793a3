/// The beginnings of responses whose transfers did not come to their end, on disk.
extension ByteLoader {
  /// What is to be continued for `errand`, from a transfer that is being given up or from disk; nil when the caller
  /// asks for a part itself, or anew.
  nonisolated func prefix(for errand: Errand) async -> Resumption? {
    guard errand.terms.mayUseStored, !errand.headers.isConditional, errand.key.origin.scheme != "file" else {
      return nil
    }
    if let rest = await departures.rest(of: errand.key) { return rest }
    return await disk?.prefix(for: diskKey(of: errand.key)).flatMap {
      Resumption($0, limit: limits.bodyBytes)
    }
  }

  /// Leaves in `prefix` what there is to be continued after `arriving`, the answer to `exchange`, ended with `error`.
  /// True when that is of this answer.
  nonisolated func leave(
    _ prefix: inout Resumption?, of arriving: StreamingBody, in exchange: SharedBody.Running?,
    after error: LoadError, at course: Course, _ attempt: Attempt, askedAt: Int64
  ) -> Bool {
    // What broke off can be continued; what is wrong or too large cannot, nor what ends where there is nothing behind.
    let isOver =
      course.errand.headers.isConditional || error.kind == .malformedResponse || error.kind == .bodyTooLarge
    var rest = isOver ? nil : Resumption(arriving, limit: limits.bodyBytes, askedAt: askedAt)
    if rest?.count == course.knownEnd { rest = nil }
    // What was there before is void as soon as the origin sends another version.
    if arriving.version != nil { prefix = rest }
    // So is what the origin says to go on behind, and then does not; and what another answer took all the time for.
    let isVoid = arriving.isEmptyContinuation && error.kind != .cancelled
    let isStalled =
      error.kind == .timeout && timeline.now >= attempt.deadline && hasBegunOther(arriving, in: exchange)
    if isVoid || isStalled || error.kind == .bodyTooLarge { prefix = nil }
    return rest != nil
  }

  /// True when `arriving`, whose time is over, asked for the rest, and the answer began and is not that. Without a head
  /// it has begun, too, when more time went by than there is for a first byte.
  private nonisolated func hasBegunOther(_ arriving: StreamingBody, in exchange: SharedBody.Running?) -> Bool
  {
    guard arriving.resumption != nil, arriving.version == nil else { return false }
    return arriving.head != nil || exchange?.sentAt.map { timeline.now - $0 > limits.total / 3 } ?? false
  }

  /// Puts `prefix` on disk in place of `former`, which was there; events call it by `key`.
  nonisolated func keep(
    _ prefix: Resumption?, insteadOf former: Resumption?, for errand: Errand, as key: ResponseKey
  ) async {
    guard let disk, errand.mayLeaveSomething else { return }
    if let prefix, let former, prefix.isSame(as: former) { return }
    if let prefix, let stored = prefix.stored {
      await disk.store(stored, for: diskKey(of: errand.key))
      events.emit(.prefixKept(key, bytes: prefix.bytes.count))
    } else if former != nil {
      await disk.removePrefix(for: diskKey(of: errand.key))
    }
  }
}

extension Errand {
  /// Whether anything of what it brings may be kept.
  var mayLeaveSomething: Bool { terms.mayStore && key.origin.scheme != "file" }
}
