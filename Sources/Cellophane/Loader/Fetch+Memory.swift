/// The memory of the bodies of a load, if it is limited.
extension Fetch {
  /// Returns the result of `read`, a stored response, and counts its body.
  ///
  /// - Throws: ``LoadError/cancelled``.
  func counting(_ read: () async -> StoredResponse?) async throws(LoadError) -> StoredResponse? {
    guard let memory else { return await read() }
    try await memory.prepareReading(priority)
    let stored = await read()
    memory.count((stored?.body.count ?? 0) + (partial?.memory ?? 0))
    return stored
  }

  /// Waits for the memory of the next body.
  ///
  /// - Parameter lacking: The bytes that the last body needed and did not get; nil without such a body.
  /// - Throws: ``LoadError/cancelled``.
  func waitForMemory(of lacking: Int?) async throws(LoadError) {
    guard let memory else { return }
    if let lacking { try await memory.wait(for: lacking, priority) }
    try await memory.prepareRequest(priority)
  }

  /// Releases the memory before a pause, except that of a partial body.
  func leaveUnusedMemory() { memory?.shrink(to: partial?.memory ?? 0) }
}
