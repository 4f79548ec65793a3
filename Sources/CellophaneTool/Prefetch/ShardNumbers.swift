internal import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The numbers of the archives in a directory, of which several processes take theirs.
///
/// What is in the making has a lock of its process; when there is none, the process was killed, and the file is removed.
/// Taking numbers, publishing and removing are done under a lock on the directory: nobody removes what is about to be
/// locked, or misses what is about to be renamed.
struct ShardNumbers: Sendable {
  let path: String

  private static let mark = ".cellophane-shard-"

  /// Removes what killed processes left behind.
  func removeRemains() throws(LoadError) { try alone { _ throws(LoadError) in } }

  /// The indexes of the archives that are there.
  func indexes() throws(LoadError) -> [String] {
    let files = Set(try names())
    return files.filter { $0.hasSuffix(".tar") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(4)) + ".jsonl" }.filter(files.contains).sorted().map { path + "/" + $0 }
  }

  /// Begins an archive under the least number that nobody has.
  func begin() throws(LoadError) -> ShardFile {
    try alone { files throws(LoadError) in
      let taken = Set(files.compactMap(Self.number))
      // There are fewer files than that.
      guard let number = (0...taken.count).first(where: { !taken.contains($0) }) else {
        throw LoadError(.io, "\(path) has no number left")
      }
      let digits = String(number)
      // Six, as WebDataset's own writer has them.
      let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
      let archive = try make(name + ".archive")
      guard Platform.lock(archive, waits: false) else {
        defer { Platform.close(archive) }
        throw failure(path, Platform.lastError)
      }
      do throws(LoadError) {
        return ShardFile(name: name, in: self, archive: archive, index: try make(name + ".index"))
      } catch {
        remove(name)
        Platform.close(archive)
        throw error
      }
    }
  }

  /// Puts a whole archive in its place, and its index before it.
  func publish(_ name: String) throws(LoadError) {
    try alone { _ throws(LoadError) in
      let (index, archive) = (path + "/" + name + ".jsonl", path + "/" + name + ".tar")
      guard Platform.move(making(name + ".index"), to: index) else {
        throw failure(index, Platform.lastError)
      }
      guard Platform.move(making(name + ".archive"), to: archive) else {
        defer { Platform.remove(index) }
        throw failure(archive, Platform.lastError)
      }
    }
  }

  /// Removes what is in the making of an archive.
  func remove(_ name: String) {
    Platform.remove(making(name + ".index"))
    Platform.remove(making(name + ".archive"))
  }

  /// Where a file is made.
  private func making(_ file: String) -> String { path + "/" + Self.mark + file }

  /// The number that a file stands for: an archive, an index, or what is to be one.
  private static func number(_ file: String) -> Int? {
    let name = file.hasPrefix(mark) ? file.dropFirst(mark.count) : file[...]
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, ["tar", "jsonl", "archive", "index"].contains(parts[1]),
      parts[0].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(parts[0])
  }

  /// Runs `body` with the names of what is there, without remains, while no other process takes, publishes or removes
  /// anything.
  private func alone<Value>(_ body: ([String]) throws(LoadError) -> Value) throws(LoadError) -> Value {
    try Platform.alone(in: path) { () throws(LoadError) in
      var files = Set(try names())
      for file in files where file.hasPrefix(Self.mark) && file.hasSuffix(".archive") {
        remove(file, from: &files)
      }
      return try body(Array(files))
    }
  }

  /// Removes an archive in the making, and its index, unless its process lives.
  private func remove(_ file: String, from files: inout Set<String>) {
    let descriptor = Platform.openToLock(path + "/" + file)
    guard descriptor >= 0 else { return }
    defer { Platform.close(descriptor) }
    guard Platform.lock(descriptor, waits: false) else { return }
    let name = String(file.dropFirst(Self.mark.count).dropLast(".archive".count))
    // Killed between the two, it has its index in place already.
    let index = files.contains(name + ".tar") ? [] : [name + ".jsonl"]
    for file in [Self.mark + name + ".index", file] + index where files.remove(file) != nil {
      Platform.remove(path + "/" + file)
    }
  }

  private func make(_ file: String) throws(LoadError) -> Int32 {
    let descriptor = Platform.createFile(making(file))
    guard descriptor >= 0 else { throw failure(making(file), Platform.lastError) }
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
