internal import Cellophane
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CellophaneS3

@Suite("The upload of a file in parts")
struct MultipartUploadTests {
  /// Six parts.
  private static let size = 5 * PartLayout.usualPartBytes + (2 << 20)

  /// Runs an upload of the file in `world`, with the state of earlier ones in `saved`.
  private func upload(
    _ world: S3World, _ saved: Shared<MultipartUpload.Saved?> = Shared(nil)
  ) throws -> Result<Void, S3Error> {
    let client = world.client
    let uploader = MultipartUploader(client, name: "a.tar", file: -1) { () throws(S3Error) in
      try await client.put("a.jsonl", .bytes([1]))
    }
    return try world.run { () throws(S3Error) in
      try await uploader.run(size: Self.size, saved: saved.value) { state in saved.update { $0 = state } }
    }
  }

  /// Expects the complete file in the store, after its index, and nothing else.
  private func expectComplete(_ world: S3World, _ comment: Comment? = nil) {
    let state = world.store.state
    let starts = (0..<6).map { $0 * PartLayout.usualPartBytes }
    let parts = zip(starts, starts.dropFirst() + [Self.size]).map { MemoryS3Store.Content.range($0..<$1) }
    #expect(state.objects["p/a.tar"] == parts, comment)
    #expect(state.objects.keys.sorted() == ["p/a.jsonl", "p/a.tar"], comment)
    #expect(state.uploads.isEmpty, comment)
    let index = state.log.firstIndex(of: "PUT p/a.jsonl") ?? .max
    let complete = state.log.firstIndex(of: "POST p/a.tar") ?? .min
    #expect(index < complete, comment)
  }

  private func parts(_ world: S3World) -> [String] {
    world.store.state.log.filter { $0.contains("partNumber") }.map { String($0.suffix(1)) }
  }

  @Test func `parts are sent several at a time, then the index, then the object appears`() throws {
    let world = try S3World()
    try upload(world).get()
    expectComplete(world)
    #expect(parts(world).sorted() == ["1", "2", "3", "4", "5", "6"])
    let times = zip(world.store.state.log, world.store.state.times).filter { $0.0.contains("partNumber") }
      .map(\.1)
    #expect(Set(times).map { time in times.count { $0 == time } }.sorted() == [2, 4])
  }

  @Test(arguments: 1...10, [false, true])
  func `an upload that is killed at any request is resumed`(number: Int, isApplied: Bool) throws {
    let world = try S3World { count, _ in count == number ? .kill(isApplied: isApplied) : nil }
    let saved = Shared<MultipartUpload.Saved?>(nil)
    #expect(throws: S3Error.self) { try upload(world, saved).get() }
    let stored = saved.value?.etags.count ?? 0
    world.store.restart()
    let before = parts(world).count
    try upload(world, saved).get()
    expectComplete(world)
    let again = parts(world).count - before
    // A complete object whose response was lost needs no part.
    let isComplete = world.store.state.log.filter { $0 == "HEAD p/a.tar" }.count == 1
    #expect(again == (isComplete ? 0 : 6 - stored))
  }

  @Test func `there are eleven requests, and the last one may fail`() throws {
    let world = try S3World { count, _ in count == 11 ? .kill(isApplied: false) : nil }
    try upload(world).get()
    expectComplete(world)
    // The list of uploads, its start, six parts, the index, its end, and another list of uploads.
    #expect(world.store.state.log.count == 11)
  }

  @Test(arguments: 1...11)
  func `a lost response or request is repeated`(number: Int) throws {
    for fault in [MemoryS3Store.Fault.lostResponse, .lostRequest, .status(503, code: "SlowDown")] {
      let world = try S3World { count, _ in count == number ? fault : nil }
      try upload(world).get()
      expectComplete(world, "\(fault)")
    }
  }

  @Test func `uploads of the object that cannot be resumed are aborted, and those of others stay`() throws {
    let world = try S3World()
    world.store.change {
      $0.uploads["x"] = ("p/a.tar", [1: .bytes([1])])
      $0.uploads["y"] = ("p/a.tar.other", [:])
    }
    try upload(world).get()
    #expect(world.store.state.uploads.keys.sorted() == ["y"])
  }

  @Test func `a part with another entity tag or length, or that is not stored, is sent again`() throws {
    let world = try S3World { count, _ in count == 9 ? .kill(isApplied: false) : nil }
    let saved = Shared<MultipartUpload.Saved?>(nil)
    #expect(throws: S3Error.self) { try upload(world, saved).get() }
    #expect(saved.value?.etags.count == 6)
    saved.update { $0?.etags[2] = "\"other\"" }
    world.store.change { state in
      for id in state.uploads.keys {
        state.uploads[id]?.parts[4] = nil
        state.uploads[id]?.parts[5] = .range(0..<9)
      }
    }
    world.store.restart()
    let before = parts(world).count
    try upload(world, saved).get()
    #expect(Set(parts(world).dropFirst(before)) == ["2", "4", "5"])
    expectComplete(world)
  }

  @Test func `an upload that the server lost begins again`() throws {
    let world = try S3World { count, _ in count == 7 ? .status(404, code: "NoSuchUpload") : nil }
    try upload(world).get()
    expectComplete(world)
    #expect(world.store.state.log.filter { $0 == "POST p/a.tar uploads" }.count == 2)
  }

  @Test func `a server that loses every upload ends the upload`() throws {
    let world = try S3World { _, request in
      request.query.contains { $0.name == "partNumber" } ? .status(404, code: "NoSuchUpload") : nil
    }
    #expect(throws: S3Error("the server lost the upload 4 times", isRetryable: true)) {
      try upload(world).get()
    }
  }

  @Test func `a refused part ends the upload, and the other parts are kept for a later one`() throws {
    let world = try S3World { count, request in
      count < 20 && request.query.contains { $0.value == "3" } ? .status(403, code: "AccessDenied") : nil
    }
    let saved = Shared<MultipartUpload.Saved?>(nil)
    let result = try upload(world, saved)
    guard case .failure(let error) = result else { Issue.record("no error"); return }
    #expect(error.code == "AccessDenied")
    // The last two parts started before the response.
    #expect(saved.value?.etags.keys.sorted() == [1, 2, 4, 5, 6])
  }

  @Test func `the length of parts allows any file`() {
    #expect(PartLayout(size: 0).count == 1 && PartLayout(size: 0).range(of: 1) == 0..<0)
    for size in [1, 8 << 20, (8 << 20) + 1, 1 << 30, 80 << 30, 1 << 42] {
      let layout = PartLayout(size: size)
      #expect(layout.count <= PartLayout.mostParts && layout.partBytes >= 5 << 20)
      #expect(layout.range(of: layout.count).upperBound == size && !layout.range(of: layout.count).isEmpty)
    }
  }
}
