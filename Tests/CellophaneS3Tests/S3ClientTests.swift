internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@testable internal import CellophaneS3

@Suite("The client of an object store")
struct S3ClientTests {
  @Test func `a temporary failure is repeated after pauses that double`() throws {
    let world = try S3World(random: 0) { count, _ in count < 5 ? .status(503, code: "SlowDown") : nil }
    _ = try world.run { () throws(S3Error) in try await world.client.put("a", .bytes([1])) }.get()
    let times = world.store.state.times
    let pauses = zip(times, times.dropFirst()).map { $1 - $0 - .milliseconds(10) }
    #expect(pauses == [.milliseconds(125), .milliseconds(250), .milliseconds(500), .seconds(1)])
  }

  @Test func `the pauses have a random part and a limit`() {
    #expect(S3Client.pause(after: 1, 0) == .milliseconds(125))
    #expect(S3Client.pause(after: 2, 0.5) == .milliseconds(375))
    #expect(S3Client.pause(after: 30, 0) == .seconds(10))
    let total = (1..<S3Client.usualTries).map { S3Client.pause(after: $0, 0) }.reduce(.zero, +)
    #expect(total == .milliseconds(35_875))
  }

  @Test func `the last error is thrown after the maximum number of requests`() throws {
    let world = try S3World { _, _ in .status(500, code: "InternalError") }
    let result = try world.run { () throws(S3Error) in
      try await world.client.limited(toTries: 3).delete("a")
    }
    #expect(throws: S3Error.self) { try result.get() }
    #expect(world.store.state.log.count == 3)
  }

  @Test(arguments: [
    (403, "AccessDenied"), (404, "NoSuchBucket"), (400, "InvalidRequest"), (301, "PermanentRedirect"),
  ])
  func `a permanent failure is not repeated`(status: Int, code: String) throws {
    let world = try S3World { _, _ in .status(status, code: code) }
    guard
      case .failure(let error) = try world.run({ () throws(S3Error) in try await world.client.put("a", .none)
      })
    else { Issue.record("no error"); return }
    #expect(error.code == code && error.status == status && world.store.state.log.count == 1)
  }

  @Test func `an error in a response of success is a failure`() throws {
    let world = try S3World { count, _ in count == 1 ? .status(200, code: "InternalError") : nil }
    _ = try world.run { () throws(S3Error) in try await world.client.put("a", .none) }.get()
    #expect(world.store.state.log.count == 2)
  }

  @Test func `a list has several pages`() throws {
    let world = try S3World(pageLength: 2)
    let names = ["a", "b/c", "d & <e>", "f", "g"]
    for name in names { world.store.change { $0.objects["p/" + name] = [.bytes([1, 2])] } }
    world.store.change { $0.objects["q"] = [] }
    let found = try world.run { () throws(S3Error) in
      var found: [S3Object] = []
      try await world.client.list { found += $0 }
      return found
    }.get()
    #expect(found.map(\.name) == names && found.allSatisfy { $0.size == 2 && !$0.etag.isEmpty })
    #expect(world.store.state.log.count == 3)
    let flat = try world.run { () throws(S3Error) in
      var found: [S3Object] = []
      try await world.client.list(isDeep: false) { found += $0 }
      return found
    }.get()
    #expect(flat.map(\.name) == ["a", "d & <e>", "f", "g"])
  }

  @Test(arguments: [
    "<html></html>", "", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><Contents><Key>p/a</Key></Contents><IsTruncated>true</IsTruncated>"
      + "<NextContinuationToken>x</NextContinuationToken></ListBucketResult>",
  ])
  func `an answer that is no list, or an endless one, is an error`(text: String) throws {
    let world = try S3World { _, _ in .text(text) }
    let result = try world.run { () throws(S3Error) in
      try await world.client.limited(toTries: 2).list { _ in }
    }
    #expect(throws: S3Error.self) { try result.get() }
    #expect(world.store.state.log.count <= 2)
  }

  @Test(arguments: ["", "   \n <Error><Code>InternalError</Code></Error>", "<html/>"])
  func `parts are joined only if the answer says so`(text: String) throws {
    let world = try S3World { count, _ in count == 1 ? .text(text) : nil }
    let result = try world.run { () throws(S3Error) in
      try await world.client.completeUpload(of: "a", "unknown", etags: ["x"])
    }
    // The second request has the real answer: the upload does not exist.
    guard case .failure(let error) = result else { Issue.record("no error"); return }
    #expect(error.isMissing && world.store.state.log.count == 2)
  }

  @Test func `an object without an entity tag is not stored`() throws {
    let world = try S3World { _, _ in .text("<html/>") }
    let result = try world.run { () throws(S3Error) in try await world.client.put("a", .none) }
    #expect(throws: S3Error.self) { try result.get() }
  }

  @Test func `a name is claimed by one of two writers`() throws {
    let world = try S3World()
    let write = { @Sendable () async throws(S3Error) in
      try await world.client.put("claim", .bytes([1]), ifAbsent: true)
    }
    _ = try world.run(write).get()
    guard case .failure(let error) = try world.run(write) else { Issue.record("no error"); return }
    #expect(error.isConditionFailure && !error.isRetryable)
  }

  @Test func `a large object is read in ranges`() throws {
    let world = try S3World()
    let bytes = [UInt8](repeating: 7, count: S3Client.pieceBytes + 3)
    world.store.change { $0.objects["p/a"] = [.bytes(bytes)] }
    let pieces = world.time.run { () async -> [Int] in
      var pieces: [Int] = []
      try? await world.client.read(S3Object(name: "a", size: bytes.count, etag: "")) {
        pieces.append($0.count)
      }
      return pieces
    }
    #expect(pieces == [S3Client.pieceBytes, 3])
  }
}
