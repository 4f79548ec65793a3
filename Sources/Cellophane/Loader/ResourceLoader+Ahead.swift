extension ResourceLoader {
  /// The minimum time between two previews of one load and before the first: a faster load shows only the complete value.
  /// 100 ms feels instant (Nielsen, Usability Engineering, 1993, chapter 5), and a preview of a progressive image costs a
  /// pass over all of its pixels.
  static var previewInterval: Duration { .milliseconds(100) }

  /// Loads bytes and decodes them while they arrive, once there is a subscriber for previews. Without a subscriber, or if
  /// decoding fails, `value` is nil: then the complete bytes are to be decoded.
  nonisolated func loadAhead(
    _ request: Request<Decoder.Options>, priority: LivePriority, previews: ValueFlight<Value>
  ) async throws(LoadError) -> (bytes: LoadedBytes, value: Value?) {
    let ahead = ProgressiveDecode<Value>()
    defer {
      previews.whenWanted(nil)
      ahead.cancel()
    }
    let loaded = try await bytes.load(ByteRequest(request), priority: request.priority, live: priority) {
      body in
      previews.setSource(body)
      previews.whenWanted {
        ahead.start(on: self.timeline, priority: priority.current.taskPriority) {
          await self.decode(body, for: request, showing: previews, as: ahead, priority: priority)
        }
      }
    }
    previews.setSource(nil)
    return (loaded, await ahead.value)
  }

  private nonisolated func decode(
    _ body: SharedBody, for request: Request<Decoder.Options>, showing previews: ValueFlight<Value>,
    as ahead: ProgressiveDecode<Value>, priority: LivePriority
  ) async -> Value? {
    var reader = SharedBody.Reader(body)
    while true {
      switch await decode(&reader, for: request, showing: previews, as: ahead, priority: priority) {
      case .value(let value): return value
      case .none: return nil
      case .startedOver: continue
      }
    }
  }

  @concurrent
  private nonisolated func decode(
    _ reader: inout SharedBody.Reader, for request: Request<Decoder.Options>,
    showing previews: ValueFlight<Value>, as ahead: ProgressiveDecode<Value>, priority: LivePriority
  ) async -> Ahead<Value> {
    guard let (opening, weight) = await opening(of: &reader, options: request.options),
      let incremental = decoder.incremental(options: request.options),
      // Twice, because a preview is a copy of the future result.
      let reservation = decodingMemory.reserve(
        2 * min(weight, .max / 2), in: decoding, onRevoke: { ahead.cancel() })
    else { return .none }
    defer { decodingMemory.release(reservation, in: decoding) }
    var (piece, spent, shown) = (opening, Duration.zero, timeline.now)
    var hasNews = false
    do throws(LoadError) {
      while true {
        // A copy of the current priority: while bytes arrive, the transfer listens to its changes.
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
          of: &reader, until: hasNews && previews.areWanted ? shown + Self.previewInterval : nil)
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
            previews.noteDecoding(spent)
            events.emit(.decoded(request.key.response, cost: cost(of: value), duration: spent))
            return value
          }
          return .value(value)
        }
      }
    } catch {
      // Decoding the complete bytes reports the error, if there is one.
      return .none
    }
  }

  /// Returns the first bytes, up to the point where the memory for decoding is known, and that memory.
  private nonisolated func opening(
    of reader: inout SharedBody.Reader, options: Decoder.Options
  ) async -> (bytes: [UInt8], weight: Int)? {
    var opening: [UInt8] = []
    // Growing steps keep the total time of the search linear in the size of the header.
    var nextCheck = 0
    while true {
      switch await next(of: &reader, until: nil) {
      case .piece(let piece): opening += piece
      case .startedOver: (opening, nextCheck) = ([], 0)
      case .whole, .useless: return nil
      }
      guard opening.count >= nextCheck else { continue }
      nextCheck = opening.count + opening.count / 16
      do throws(LoadError) {
        return (opening, try decoder.workingBytes(for: opening, options: options))
      } catch {
        guard error.kind == .truncated else { return nil }
      }
    }
  }

  /// Returns the next bytes; an empty piece at `deadline`.
  private nonisolated func next(
    of reader: inout SharedBody.Reader, until deadline: Duration?
  ) async -> SharedBody.Next {
    guard let deadline else { return await reader.next() }
    let alarm = timeline.spawn { [timeline, body = reader.body] in
      do {
        try await timeline.sleep(for: deadline - timeline.now)
        body.wake()
      } catch {}
    }
    defer { alarm.cancel() }
    return await reader.next()
  }
}

/// The result of progressive decoding.
private enum Ahead<Value> {
  case value(Value)
  /// No usable value.
  case none
  /// The bytes start over.
  case startedOver
}
