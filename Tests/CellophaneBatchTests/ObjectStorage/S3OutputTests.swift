internal import Cellophane
internal import CellophaneS3
internal import CellophaneTesting
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

/// Batches whose outputs are in a store in memory, in virtual time.
private struct StoreWorld {
  let batch = BatchWorld(cacheLimit: 0)
  let store: MemoryS3Store
  private let folder = TemporaryFolder()

  init(fault: @escaping @Sendable (_ number: Int, S3Request) -> MemoryS3Store.Fault? = { _, _ in nil }) {
    store = MemoryS3Store(timeline: batch.timeline, fault: fault)
  }

  private static let settings = OutputSettings(writesImages: false, changesPixels: false)

  var client: S3Client {
    get throws {
      try S3Client(S3Location("s3://bucket/p"), over: store, timeline: batch.timeline, random: { 0 })
    }
  }

  /// Returns the requested URLs, and the results of their records in the order of the list.
  func run(
    _ urls: [String], jobs: Int = 4, names: String = "{index:2}", archivesIn staging: String? = nil,
    perShard: Int = 4
  ) throws -> (requested: Int, results: [BatchResult], error: LoadError?) {
    let (client, name) = (try client, try OutputName(names))
    let folder = try staging.map { try StagingFolder(in: self.folder.path, for: $0) }
    let opened = batch.time.run { () async -> Result<any BatchOutput, LoadError> in
      do throws(LoadError) {
        if let folder {
          return .success(
            try await S3Archives.open(client, folder, name: name, settings: Self.settings, perShard: perShard)
          )
        }
        return .success(
          try await S3Files(
            client, name: name, settings: Self.settings, replaces: false, numbersRepeat: false))
      } catch { return .failure(error) }
    }
    let output = try #require(opened).get()
    let before = batch.origin.counters.started
    let results = try batch.results(of: urls, jobs: jobs, output: output, policy: .reload)
    let error = try #require(
      batch.time.run { () async -> LoadError? in
        do throws(LoadError) { try await output.finish() } catch { return error }
        return nil
      } as LoadError??)
    return (batch.origin.counters.started - before, results.sorted { $0.position < $1.position }, error)
  }

  /// Returns the objects by their names, without those of the tool.
  var files: [String: String] {
    var files: [String: String] = [:]
    for (key, content) in store.state.objects where !key.contains(".cellophane") {
      files[String(key.dropFirst(2))] =
        if case .bytes(let bytes)? = content.first { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
    return files
  }

  /// The keys of the samples in all archives, from their indexes.
  func keys() -> [String] {
    files.filter { $0.key.hasSuffix(".jsonl") && files[$0.key.dropLast(6) + ".tar"] != nil }.values
      .flatMap { $0.split(separator: "\n") }.map { String($0.split(separator: "\"")[3]) }.sorted()
  }

  var claims: [String] { store.state.objects.keys.filter { $0.contains("/claims/") } }

  func staged(in staging: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: StagingFolder(in: folder.path, for: staging).path
    ).filter { $0 != ".cellophane-id" }.sorted()
  }
}

/// A directory that is removed with this object.
private final class TemporaryFolder: Sendable {
  let path = NSTemporaryDirectory() + "cellophane-s3-" + UUID().uuidString
  deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite("Outputs in an object store")
struct S3OutputTests {
  private let urls = (1...10).map { "http://h/\($0)" }

  @Test func `a second run requests only objects that were removed or replaced`() throws {
    let world = StoreWorld()
    let first = try world.run(urls)
    #expect(first.requested == 10 && first.error == nil)
    #expect(world.files.count == 10 && world.files["03"] == "http://h/3")
    world.store.change {
      $0.objects["p/03"] = nil
      $0.objects["p/05"] = [.bytes([1])]
    }
    let second = try world.run(urls)
    #expect(second.requested == 2 && world.files["03"] == "http://h/3" && world.files["05"] == "http://h/5")
    #expect(second.results.map(\.file) == first.results.map(\.file))
    #expect(try world.run(urls).requested == 0)
  }

  @Test func `a name with another request is written again, also after its index was lost`() throws {
    let world = StoreWorld()
    _ = try world.run(["http://h/a", "http://h/b"])
    world.store.change { state in
      // The run that replaced the object was killed before it wrote its index.
      state.objects["p/01"] = [.bytes(Array("http://h/b".utf8))]
    }
    #expect(try world.run(["http://h/a", "http://h/b"]).requested == 1)
    #expect(world.files == ["01": "http://h/a", "02": "http://h/b"])
    #expect(try world.run(["http://h/b", "http://h/a"]).requested == 2)
    #expect(world.files == ["01": "http://h/b", "02": "http://h/a"])
  }

  @Test func `names by content are found by their request`() throws {
    let world = StoreWorld()
    let first = try world.run(urls, names: "{hash}")
    let second = try world.run(urls.reversed(), names: "{hash}")
    #expect(second.requested == 0 && second.results.map(\.file) == first.results.map(\.file).reversed())
  }

  @Test func `a lost index is an error, and a refused object fails its record only`() throws {
    let world = StoreWorld { _, request in
      request.method == .put && request.key.contains("contents/")
        ? .status(403, code: "AccessDenied")
        : request.key == "p/02" ? .status(403, code: "AccessDenied") : nil
    }
    let run = try world.run(urls)
    #expect(run.results.filter { $0.outcome == .failed }.map(\.failure?.stage) == [.output])
    #expect(run.error?.message.contains("403 AccessDenied") == true)
    #expect(world.files.count == 9)
  }

  @Test func `archives are uploaded with their indexes, and nothing else is left`() throws {
    let world = StoreWorld()
    let run = try world.run(urls, archivesIn: "one")
    #expect(run.error == nil && run.results.allSatisfy { $0.file?.hasPrefix("00000") == true })
    #expect(
      world.files.keys.sorted()
        == (0...2).flatMap { ["00000\($0).jsonl", "00000\($0).stats.json", "00000\($0).tar"] })
    #expect(world.keys() == (1...10).map { $0 < 10 ? "0\($0)" : "10" })
    #expect(try world.claims.isEmpty && world.staged(in: "one").isEmpty && world.store.state.uploads.isEmpty)
    #expect(try world.run(urls + ["http://h/11"], archivesIn: "other").requested == 1)
    #expect(world.files["000003.tar"] != nil && world.claims.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a staged archive is not sent under a number that was taken since`(isComplete: Bool) throws {
    let isFirst = Mutex(true)
    let world = StoreWorld { _, request in
      let isPart = request.query.contains { $0.name == "partNumber" }
      return isPart
        && isFirst.withLock({ isFirst in
          defer { isFirst = false }; return isFirst
        })
        ? .kill(isApplied: false) : nil
    }
    _ = try? world.run(urls, archivesIn: "one", perShard: 100)
    #expect(try world.staged(in: "one").contains("000000.tar"))
    world.store.restart()
    // The location was emptied, and another machine used it.
    world.store.change { state in
      (state.objects, state.uploads) = ([:], [:])
      state.objects[isComplete ? "p/000000.tar" : "p/.cellophane/claims/000000"] = [.bytes([1])]
    }
    let run = try world.run(["http://h/1"], archivesIn: "one")
    #expect(run.error?.message.contains("another process has the number") == true)
    #expect(
      world.store.state.objects[isComplete ? "p/000000.tar" : "p/.cellophane/claims/000000"] == [.bytes([1])])
    #expect(try world.staged(in: "one").contains("000000.tar"))
  }

  @Test(arguments: 1...36)
  func `a run that is killed at any request of the store is continued by the next one`(number: Int) throws {
    let world = StoreWorld { count, _ in count == number ? .kill(isApplied: count % 2 == 0) : nil }
    _ = try? world.run(urls, archivesIn: "one")
    #expect(world.store.state.isKilled)
    world.store.restart()
    let run = try world.run(urls, archivesIn: "one")
    #expect(run.error == nil)
    #expect(world.keys() == (1...10).map { $0 < 10 ? "0\($0)" : "10" })
    #expect(try world.claims.isEmpty && world.staged(in: "one").isEmpty && world.store.state.uploads.isEmpty)
  }

  @Test func `numbers of other machines are not used`() throws {
    let world = StoreWorld()
    world.store.change {
      $0.objects["p/000000.tar"] = [.bytes([0])]
      $0.objects["p/000001.jsonl"] = [.bytes([])]
      $0.objects["p/.cellophane/claims/000002"] = [.bytes(Array("other".utf8))]
    }
    _ = try world.run(urls, archivesIn: "one", perShard: 100)
    #expect(
      world.files.keys.sorted() == [
        "000000.tar", "000001.jsonl", "000003.jsonl", "000003.stats.json", "000003.tar",
      ])
    #expect(world.claims == ["p/.cellophane/claims/000002"])
  }

  @Test func `an archive that another machine completes after the list was read keeps its number`() throws {
    let world = StoreWorld()
    let (client, store) = (try world.client, world.store)
    let staging = try StagingFolder(
      in: NSTemporaryDirectory() + "cellophane-s3-" + UUID().uuidString, for: "x")
    defer { try? FileManager.default.removeItem(atPath: staging.path) }
    let claims = world.batch.time.run { () async -> [Bool] in
      guard
        let folder = try? await S3Archives.open(
          client, staging, name: OutputName("{index}"),
          settings: OutputSettings(writesImages: false, changesPixels: false), perShard: 1),
        let archives = folder.destination
      else { return [] }
      // The claim of the other machine is gone, and its archive is there.
      store.change { $0.objects["p/000000.tar"] = [.bytes([0])] }
      return [(try? await archives.claim(0)) ?? true, (try? await archives.claim(1)) ?? false]
    }
    #expect(claims == [false, true])
    #expect(world.claims == ["p/.cellophane/claims/000001"])
  }

  @Test func `a store that refuses an archive ends the records that follow, and the archive is kept`() throws
  {
    let world = StoreWorld { _, request in
      request.query.contains { $0.name == "partNumber" } ? .status(403, code: "AccessDenied") : nil
    }
    let run = try world.run((1...40).map { "http://h/\($0)" }, jobs: 1, archivesIn: "one", perShard: 1)
    #expect(run.error?.message.contains("run the command again") == true)
    #expect(run.results.contains { $0.failure?.stage == .output })
    let staged = try world.staged(in: "one").filter { $0.hasSuffix(".tar") }.count
    #expect(staged == run.results.filter { $0.outcome == .fetched }.count && staged <= 5)
  }

  @Test func `the state of an upload is read as it was written`() {
    let saved = MultipartUpload.Saved(id: "a b/c", etags: [1: "\"x\"", 12: "\"y z\""])
    #expect(UploadState.parse(UploadState.bytes(saved)) == saved)
    #expect(UploadState.parse([]) == nil && UploadState.parse(Array("id\nx \"y\"\n".utf8)) == nil)
  }
}
