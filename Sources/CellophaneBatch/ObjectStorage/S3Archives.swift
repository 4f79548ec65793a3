package import Cellophane
package import CellophaneS3
internal import Synchronization

/// The archives of a location: `000000.tar` and so on, each with an index.
///
/// An archive is staged in a local directory. An object in `.cellophane/claims` reserves its number from the first sample
/// until the archive is complete.
package final class S3Archives: ShardDestination {
  private static let claims = ".cellophane/claims/"

  private let client: S3Client
  private let staging: StagingFolder
  private let numbers: ShardNumbers
  private let uploads: ArchiveUploads
  private let taken = Mutex<Set<Int>>([])

  private init(_ client: S3Client, _ staging: StagingFolder) {
    (self.client, self.staging, numbers) = (client, staging, ShardNumbers(path: staging.path))
    let id = Array(staging.id.utf8)
    uploads = ArchiveUploads(timeline: client.timeline) { archive throws(LoadError) in
      try await Self.requireClaim(on: archive, by: id, client)
      try await Self.send(archive, client)
    }
  }

  /// Opens the location, reads its indexes, and resumes the uploads of killed processes in the background.
  ///
  /// - Parameters:
  ///   - perShard: The maximum number of samples of an archive.
  ///   - captionColumn: The column of the captions; nil for samples without one.
  ///   - numbersRepeat: True if two records may have the same number.
  /// - Throws: ``LoadError/Kind/io`` if the location or the staging folder cannot be used.
  package static func open(
    _ client: S3Client, _ staging: StagingFolder, name: OutputName, settings: OutputSettings, perShard: Int,
    captionColumn: String? = nil, numbersRepeat: Bool = false
  ) async throws(LoadError) -> ShardFolder {
    let archives = S3Archives(client, staging)
    // Before the list: an archive that another process sends in between is in one of both.
    let folder = try ShardFolder(
      staging.path, name: name, settings: settings, perShard: perShard, captionColumn: captionColumn,
      numbersRepeat: numbersRepeat, destination: archives)
    try await archives.readIndexes(into: folder)
    for archive in try archives.numbers.staged() { archives.uploads.add(archive) }
    return folder
  }

  package var takenNumbers: Set<Int> { taken.withLock(\.self) }

  package func admit() async throws(LoadError) { try await uploads.wait(for: ArchiveUploads.mostArchives) }

  package func claim(_ number: Int) async throws(LoadError) -> Bool {
    let name = ShardNumbers.name(of: number)
    do throws(S3Error) {
      // The lock on the local archive excludes other processes of this directory, and the claim those of others.
      guard try await reserve(name) else { return refuse(number) }
      // A process that has completed the archive since the list was read has removed its claim.
      if try await client.size(of: name + ".tar") == nil { return true }
      try await client.delete(Self.claims + name)
      return refuse(number)
    } catch {
      throw error.loadError("claim the archive \(client.location)\(name).tar")
    }
  }

  package func take(_ archive: StagedArchive) { uploads.add(archive) }

  package func finish() async throws(LoadError) {
    do throws(LoadError) { try await uploads.wait(for: 0) } catch {
      throw error.appending(
        "; complete archives are kept in \(staging.path), run the command again to send them")
    }
    await removeClaims()
  }

  private func refuse(_ number: Int) -> Bool {
    taken.withLock { _ = $0.insert(number) }
    return false
  }

  /// Returns whether the claim is that of this directory.
  private func reserve(_ name: String) async throws(S3Error) -> Bool {
    try await Self.reserve(name, for: Array(staging.id.utf8), client)
  }

  private static func reserve(_ name: String, for id: [UInt8], _ client: S3Client) async throws(S3Error)
    -> Bool
  {
    do throws(S3Error) {
      try await client.put(claims + name, .bytes(id), type: "text/plain", ifAbsent: true)
      return true
    } catch {
      guard error.isConditionFailure else { throw error }
    }
    // It may be that of a killed process, or of a request whose response was lost.
    return try await client.get(claims + name) == id
  }

  /// Checks that the number of a complete archive is still that of this directory. The objects of the location may have been
  /// removed since the process that claimed it was killed, and another machine may have taken the number.
  private static func requireClaim(
    on archive: StagedArchive, by id: [UInt8], _ client: S3Client
  ) async throws(LoadError) {
    let isClaimed: Bool
    do throws(S3Error) {
      if try await client.get(claims + archive.name) == id { return }
      if try await reserve(archive.name, for: id, client) {
        isClaimed = try await client.size(of: archive.name + ".tar") == nil
        if !isClaimed { try await client.delete(claims + archive.name) }
      } else {
        isClaimed = false
      }
    } catch {
      throw error.loadError("claim the archive \(client.location)\(archive.name).tar")
    }
    guard isClaimed else {
      throw LoadError(
        .io,
        "another process has the number of \(archive.path) in \(client.location); remove this file, and its samples are loaded again"
      )
    }
  }

  private func readIndexes(into folder: ShardFolder) async throws(LoadError) {
    var objects: [String: S3Object] = [:]
    do throws(S3Error) {
      try await client.limited(toTries: 3).list(isDeep: false) { page in
        for object in page where ShardNumbers.number(object.name) != nil { objects[object.name] = object }
      }
    } catch { throw error.loadError("list \(client.location)") }
    taken.withLock { $0 = Set(objects.keys.compactMap(ShardNumbers.number)) }
    for (name, index) in objects.sorted(by: { $0.key < $1.key }) where name.hasSuffix(".jsonl") {
      guard objects[String(name.dropLast(6)) + ".tar"] != nil else { continue }
      try await folder.addSamples(ofIndex: "\(client.location)\(name)") { piece async throws(LoadError) in
        try await client.read(index, piece: piece)
      }
    }
  }

  /// Uploads an archive after its statistics and its index, and removes it from the directory.
  private static func send(_ archive: StagedArchive, _ client: S3Client) async throws(LoadError) {
    let name = archive.name + ".tar"
    let index = Platform.openToLock(archive.indexPath)
    guard index >= 0, let indexBytes = Platform.size(ofFile: index) else {
      throw LoadError(
        .io,
        "cannot read \(archive.indexPath): \(Platform.reason(Platform.lastError)); remove \(archive.path)")
    }
    defer { Platform.close(index) }
    var statistics: [UInt8] = []
    if Platform.size(ofFileAt: archive.statisticsPath) != nil {
      try FileIO.read(archive.statisticsPath) { statistics += $0 }
    }
    let uploader = MultipartUploader(client, name: name, file: archive.file) {
      [statistics] () throws(S3Error) in
      if !statistics.isEmpty {
        try await client.put(archive.name + ".stats.json", .bytes(statistics), type: "application/json")
      }
      try await client.put(
        archive.name + ".jsonl", .file(descriptor: index, offset: 0, count: indexBytes),
        type: "application/x-ndjson")
    }
    do throws(S3Error) {
      try await uploader.run(size: archive.size, saved: UploadState.read(archive.statePath)) {
        UploadState.write($0, to: archive.statePath)
      }
      // Some servers leave the length out, which then counts as 0.
      guard let size = try await client.size(of: name), size == archive.size || size == 0 else {
        throw S3Error("the server does not have the object that it joined", isRetryable: true)
      }
      archive.remove()
      // The archive takes the number now.
      try await client.delete(claims + archive.name)
    } catch {
      throw error.loadError("write \(client.location)\(name)")
    }
  }

  /// Removes the claims of killed processes of this directory. A failure is ignored: a later run removes them.
  private func removeClaims() async {
    var names: [String] = []
    do throws(S3Error) {
      try await client.list(Self.claims) { page in
        names += page.map { String($0.name.dropFirst(Self.claims.count)) }
      }
    } catch { return }
    for name in names {
      guard let number = ShardNumbers.number(name + ".tar"), ShardNumbers.name(of: number) == name,
        (try? await client.get(Self.claims + name)) == Array(staging.id.utf8),
        // Fails if the number has an archive in the directory, for example that of a live process.
        let archive = try? numbers.begin(exactly: number)
      else { continue }
      try? await client.delete(Self.claims + name)
      try? archive.finish()
    }
  }
}
