extension ResourceLoader {
  /// The least time between two previews of one load, and before the first: what is whole sooner is shown whole.
  /// 100 ms: what feels instant (Nielsen, Usability Engineering, 1993, chapter 5); and a preview of a
  /// progressive picture costs a pass over all of its pixels.
  static var previewInterval: Duration { .milliseconds(100) }

  /// Loads bytes and decodes them while they arrive, as soon as somebody wants previews. `value` is nil when
  /// that did not happen, or did not end well: then the bytes are to be decoded as a whole.
  nonisolated func loadAhead(
    _ request: Request<Decoder.Options>, priority: LivePriority, previews: PreviewSubscribers<Value>
  ) async throws(LoadError) -> (bytes: LoadedBytes, value: Value?) {
    let ahead = ProgressiveDecode<Value>()
    defer {
      previews.whenWanted(nil)
      ahead.cancel()
    }
    let loaded = try await bytes.load(ByteRequest(request), priority: request.priority, live: priority) { body in
      previews.whenWanted {
        ahead.start(on: self.timeline, priority: priority.current.taskPriority) {
          await self.decode(body, for: request, showing: previews, as: ahead, priority: priority)
        }
      }
    }
    return (loaded, await ahead.value)
  }

  private nonisolated func decode(
    _ body: SharedBody, for request: Request<Decoder.Options>, showing previews: PreviewSubscribers<Value>,
    as ahead: ProgressiveDecode<Value>, priority: LivePriority
  ) async -> Value? {
    var position = SharedBody.Position()
    while true {
      switch await decode(
        body, from: &position, for: request, showing: previews, as: ahead, priority: priority)
      {
      case .value(let value): return value
      case .none: return nil
      case .startedOver: continue
      }
    }
  }

  @concurrent
  private nonisolated func decode(
    _ body: SharedBody, from position: inout SharedBody.Position, for request: Request<Decoder.Options>,
    showing previews: PreviewSubscribers<Value>, as ahead: ProgressiveDecode<Value>, priority: LivePriority
  ) async -> Ahead<Value> {
    guard let (opening, weight) = await opening(of: body, from: &position, options: request.options),
      let incremental = decoder.incremental(options: request.options),
      // Twice, because a preview is a copy of what will be the result.
      let reservation = decoding.reserve(2 * min(weight, .max / 2), onRevoke: { ahead.cancel() })
    else { return .none }
    defer { decoding.release(reservation) }
    var (piece, spent, shown) = (opening, Duration.zero, timeline.now)
    var hasNews = false
    do throws(LoadError) {
      while true {
        // The priority of now: while bytes arrive, the transfer listens to its changes.
        try await decoding.run(for: nil, priority: LivePriority(priority.current)) {
          () throws(LoadError) in
          let start = timeline.now
          if try incremental.feed(piece) { hasNews = true }
          if hasNews, previews.areWanted, start - shown >= Self.previewInterval {
            if let preview = try incremental.preview() { previews.publish(preview) }
            (hasNews, shown) = (false, start)
          }
          spent += timeline.now - start
        }
        switch await next(
          of: body, after: &position,
          until: hasNews && previews.areWanted ? shown + Self.previewInterval : nil)
        {
        case .piece(let bytes): piece = bytes
        case .startedOver: return .startedOver
        case .useless: return .none
        case .whole:
          let value = try await decoding.run(for: nil, priority: LivePriority(priority.current)) {
            () throws(LoadError) in
            let start = timeline.now
            let value = try incremental.finish()
            spent += timeline.now - start
            events.emit(.decoded(request.key.response, cost: cost(of: value), duration: spent))
            return value
          }
          return .value(value)
        }
      }
    } catch {
      // Decoding the whole says what is wrong, if anything is.
      return .none
    }
  }

  /// The bytes up to where the memory that decoding needs is known, and that memory.
  private nonisolated func opening(
    of body: SharedBody, from position: inout SharedBody.Position, options: Decoder.Options
  ) async -> (bytes: [UInt8], weight: Int)? {
    var opening: [UInt8] = []
    // Growing steps keep the time for looking linear, however much precedes what is looked for.
    var nextLook = 0
    while true {
      switch await next(of: body, after: &position, until: nil) {
      case .piece(let piece): opening += piece
      case .startedOver: (opening, nextLook) = ([], 0)
      case .whole, .useless: return nil
      }
      guard opening.count >= nextLook else { continue }
      nextLook = opening.count + opening.count / 16
      do throws(LoadError) {
        return (opening, try decoder.workingBytes(for: opening, options: options))
      } catch {
        guard error.kind == .truncated else { return nil }
      }
    }
  }

  /// What comes next of `body`; an empty piece at `deadline`.
  private nonisolated func next(
    of body: SharedBody, after position: inout SharedBody.Position, until deadline: Duration?
  ) async -> SharedBody.Next {
    guard let deadline else { return await body.next(after: &position) }
    let alarm = timeline.spawn { [timeline] in
      do {
        try await timeline.sleep(for: deadline - timeline.now)
        body.wake()
      } catch {}
    }
    defer { alarm.cancel() }
    return await body.next(after: &position)
  }
}

/// What decoding ahead comes to.
private enum Ahead<Value> {
  case value(Value)
  /// Nothing that could be used.
  case none
  /// The bytes begin anew.
  case startedOver
}
