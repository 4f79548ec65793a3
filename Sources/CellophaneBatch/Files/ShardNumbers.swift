internal import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The numbers of the archives in a directory that several processes may use.
///
/// An unfinished archive is locked by its process. Without a lock its process was killed, and the archive is removed.
/// Allocating a number, publishing and removing happen under a lock on the directory. Otherwise one process could remove
/// an archive before another has locked it, or miss one that is being renamed.
struct ShardNumbers: Sendable {
  let path: String

  private static let mark = ".cellophane-shard-"

  /// Removes the unfinished archives of killed processes.
  func removeLeftovers() throws(LoadError) { try withLock { _ throws(LoadError) in } }

  /// Returns the paths of the indexes of all archives.
  func indexes() throws(LoadError) -> [String] {
    let files = Set(try names())
    return files.filter { $0.hasSuffix(".tar") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(4)) + ".jsonl" }.filter(files.contains).sorted().map { path + "/" + $0 }
  }

  /// Creates an archive with the lowest free number that is not in `others`.
  func begin(except others: Set<Int> = []) throws(LoadError) -> ShardFile {
    try withLock { files throws(LoadError) in
      let taken = others.union(files.compactMap(Self.number))
      // One more number than files, so one of them is free.
      guard let number = (0...taken.count).first(where: { !taken.contains($0) }) else {
        throw LoadError(.io, "\(path) has no free archive number; use another directory")
      }
      return try createArchive(number)
    }
  }

  /// Creates the archive with `number`; returns nil if the number is taken.
  func begin(exactly number: Int) throws(LoadError) -> ShardFile? {
    try withLock { files throws(LoadError) in
      files.contains { Self.number($0) == number } ? nil : try createArchive(number)
    }
  }

  /// Returns the name of the archive with a number. Six digits, as in the archives of WebDataset's own writer.
  static func name(of number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// Returns the complete archives that no process holds, with their locks. Removes the other files of archives that were
  /// sent.
  func staged() throws(LoadError) -> [StagedArchive] {
    try withLock { files throws(LoadError) in
      let all = Set(files)
      for file in files where [".upload", ".jsonl", ".stats.json"].contains(where: file.hasSuffix) {
        let name = String(file.prefix { $0 != "." })
        if Self.number(name + ".tar") != nil, !all.contains(name + ".tar") {
          Platform.remove(path + "/" + file)
        }
      }
      return files.filter { $0.hasSuffix(".tar") && Self.number($0) != nil }.sorted().compactMap(staged)
    }
  }

  private func staged(_ file: String) -> StagedArchive? {
    let descriptor = Platform.openToLock(path + "/" + file)
    guard descriptor >= 0 else { return nil }
    let archive = StagedArchive(
      name: String(file.dropLast(4)), folder: path, file: descriptor,
      size: Platform.size(ofFile: descriptor) ?? 0)
    // Another process may have sent and removed it in between.
    let isHeld = Platform.lock(descriptor, waits: false) && Platform.isFile(descriptor, at: archive.path)
    return isHeld ? archive : nil
  }

  /// Gives a complete archive its name, and its statistics and its index before it.
  func publish(_ name: String) throws(LoadError) {
    try withLock { _ throws(LoadError) in
      let (index, archive) = (path + "/" + name + ".jsonl", path + "/" + name + ".tar")
      let statistics = path + "/" + name + ".stats.json"
      // The archive is complete without them.
      _ = Platform.move(temporaryPath(name + ".stats"), to: statistics)
      guard Platform.move(temporaryPath(name + ".index"), to: index) else {
        defer { Platform.remove(statistics) }
        throw failure(index, Platform.lastError)
      }
      guard Platform.move(temporaryPath(name + ".archive"), to: archive) else {
        defer {
          Platform.remove(index)
          Platform.remove(statistics)
        }
        throw failure(archive, Platform.lastError)
      }
    }
  }

  /// Removes the temporary statistics of an archive.
  func removeStatistics(_ name: String) { Platform.remove(temporaryPath(name + ".stats")) }

  /// Removes the temporary files of an archive.
  func remove(_ name: String) {
    Platform.remove(temporaryPath(name + ".index"))
    Platform.remove(temporaryPath(name + ".stats"))
    Platform.remove(temporaryPath(name + ".archive"))
  }

  private func temporaryPath(_ file: String) -> String { path + "/" + Self.mark + file }

  /// Returns the number of an archive or index, finished or not; nil for any other file.
  static func number(_ file: String) -> Int? {
    let name = file.hasPrefix(mark) ? file.dropFirst(mark.count) : file[...]
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, ["tar", "jsonl", "archive", "index"].contains(parts[1]),
      parts[0].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(parts[0])
  }

  /// Removes leftovers, then runs `body` with the names of the remaining files. Other processes cannot allocate, publish
  /// or remove archives in between.
  private func withLock<Value>(_ body: ([String]) throws(LoadError) -> Value) throws(LoadError) -> Value {
    try Platform.withLock(on: path) { () throws(LoadError) in
      var files = Set(try names())
      for file in files where file.hasPrefix(Self.mark) && file.hasSuffix(".archive") {
        removeLeftover(file, from: &files)
      }
      return try body(Array(files))
    }
  }

  /// Removes an unfinished archive and its index, unless its process is alive.
  private func removeLeftover(_ file: String, from files: inout Set<String>) {
    let descriptor = Platform.openToLock(path + "/" + file)
    guard descriptor >= 0 else { return }
    defer { Platform.close(descriptor) }
    guard Platform.lock(descriptor, waits: false) else { return }
    let name = String(file.dropFirst(Self.mark.count).dropLast(".archive".count))
    // The others already have their names if the process was killed between the renames.
    let published = files.contains(name + ".tar") ? [] : [name + ".jsonl", name + ".stats.json"]
    // The archive is last, because it shows that there are leftovers.
    for file in published + [Self.mark + name + ".index", Self.mark + name + ".stats", file]
    where files.remove(file) != nil {
      Platform.remove(path + "/" + file)
    }
  }

  private func createArchive(_ number: Int) throws(LoadError) -> ShardFile {
    let name = Self.name(of: number)
    let archive = try create(name + ".archive")
    guard Platform.lock(archive, waits: false) else {
      defer { Platform.close(archive) }
      throw failure(path, Platform.lastError)
    }
    var index: Int32?
    do throws(LoadError) {
      let file = try create(name + ".index")
      index = file
      // Statistics without an archive are those of a killed process.
      removeStatistics(name)
      return ShardFile(
        name: name, in: self, archive: archive, index: file, statisticsFile: try create(name + ".stats"))
    } catch {
      remove(name)
      if let index { Platform.close(index) }
      Platform.close(archive)
      throw error
    }
  }

  private func create(_ file: String) throws(LoadError) -> Int32 {
    let descriptor = Platform.createFile(temporaryPath(file))
    guard descriptor >= 0 else { throw failure(temporaryPath(file), Platform.lastError) }
    return descriptor
  }

  private func names() throws(LoadError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw LoadError(.io, "cannot read the directory \(path): \(error)")
    }
  }

  private func failure(_ path: String, _ error: Int32) -> LoadError {
    .cannotWrite(path, because: error)
  }
}
