internal import CellophaneCore

/// Runs the actions of a ``MultipartUpload``.
package struct MultipartUploader: Sendable {
  private let client: S3Client
  private let name: String
  private let file: Int32
  private let index: @Sendable () async throws(S3Error) -> Void

  /// - Parameters:
  ///   - name: The name of the object.
  ///   - file: The descriptor of its content, which does not change.
  ///   - index: Writes the index of the object.
  package init(
    _ client: S3Client, name: String, file: Int32, index: @escaping @Sendable () async throws(S3Error) -> Void
  ) {
    (self.client, self.name, self.file, self.index) = (client, name, file, index)
  }

  /// Uploads the file, or resumes an earlier upload.
  ///
  /// - Parameters:
  ///   - saved: The state that an earlier process stored; nil without one.
  ///   - save: Stores the state, nil to remove it.
  /// - Throws: The error that ended the upload. It can be resumed.
  package func run(
    size: Int, saved: MultipartUpload.Saved?, save: (MultipartUpload.Saved?) -> Void
  ) async throws(S3Error) {
    var upload = MultipartUpload(size: size, saved: saved)
    await withTaskGroup(of: MultipartUpload.Event.self) { group in
      var running = 0
      while true {
        while let action = upload.next() {
          running += 1
          let range = if case .upload(let part, _) = action { upload.layout.range(of: part) } else { 0..<0 }
          // As in `Timeline.spawn`, and for the same reason.
          if let executor = client.timeline.executor {
            group.addTask(executorPreference: executor) { await event(of: action, range) }
          } else {
            group.addTask { await event(of: action, range) }
          }
        }
        guard running > 0, let event = await group.next() else { break }
        running -= 1
        let former = upload.saved
        upload.receive(event)
        if upload.saved != former { save(upload.saved) }
      }
    }
    guard upload.isDone else { throw upload.failure ?? .cancelled }
  }

  private func event(of action: MultipartUpload.Action, _ range: Range<Int>) async -> MultipartUpload.Event {
    do throws(S3Error) {
      switch action {
      case .findUploads: return .found(try await client.uploads(of: name))
      case .abort(let id):
        try await client.abortUpload(of: name, id)
        return .aborted
      case .listParts(let id): return .listed(try await client.parts(of: name, in: id))
      case .create: return .created(try await client.createUpload(of: name, type: "application/x-tar"))
      case .upload(let part, let id):
        let body = S3Request.Body.file(descriptor: file, offset: range.lowerBound, count: range.count)
        return .stored(part: part, etag: try await client.putPart(part, of: name, in: id, body))
      case .putIndex:
        try await index()
        return .indexed
      case .complete(let id, let etags):
        try await client.completeUpload(of: name, id, etags: etags)
        return .completed
      case .checkObject: return .checked(try await client.size(of: name))
      }
    } catch {
      return .failed(action, error)
    }
  }
}
