/// The part of the road that leads to the origin: what is asked, and what the answer means.
extension ByteLoader {
  /// Asks the origin what `validation` asks, or for the whole; also for the whole, once, when it answers about
  /// a version that is not the stored one.
  nonisolated func ask(
    _ errand: Errand, _ validation: Validation?, to body: FlightBody
  ) async throws(LoadError) -> Answer {
    guard let validation else { return try await transfer(errand, validation: nil, to: body) }
    do throws(LoadError) {
      return try await transfer(errand, validation: validation, to: body)
    } catch {
      guard error == .otherVersion(errand.key.url) else { throw error }
      return try await transfer(errand, validation: nil, to: body)
    }
  }

  private nonisolated func transfer(
    _ errand: Errand, validation: Validation?, to body: FlightBody
  ) async throws(LoadError) -> Answer {
    let key = errand.key
    // Cancelled after its turn had come: nothing has begun that could be called a transfer.
    if Task.isCancelled { throw .cancelled }
    let (start, askedAt) = (timeline.now, timeline.secondsSince1970)
    events.emit(.transferStarted(key))
    let arriving = body.begin()
    do throws(LoadError) {
      var fields = errand.headers
      if let validation { fields.append(validation.fields) }
      let response = try await transport.exchange(
        TransportRequest(url: key.url, headers: fields, limits: limits, body: arriving))
      let answer = try Answer(response, to: key, validation: validation, askedAt: askedAt)
      // A transport that did not hand over the body as it arrived gave it at the end.
      let isWhole = answer.source == .network && arriving.count == response.body.count
      body.end(isWhole ? .whole : .useless)
      let received = answer.source == .network ? response.body.count : 0
      events.emit(.transferFinished(key, bytes: received, duration: timeline.now - start))
      if answer.source == .disk { events.emit(.revalidated(key, bytes: answer.response.body.count)) }
      return answer
    } catch {
      events.emit(
        error.kind == .cancelled
          ? .transferAborted(key, bytes: arriving.count) : .transferFailed(key, error, bytes: arriving.count))
      throw error
    }
  }
}
