internal import Cellophane
internal import CellophaneS3

/// The stored state of the upload of an archive: a line with its identifier, and a line `NUMBER ETAG` for each part.
enum UploadState {
  /// Returns the state in the file at `path`; nil without a valid one.
  static func read(_ path: String) -> MultipartUpload.Saved? {
    var bytes: [UInt8] = []
    guard Platform.size(ofFileAt: path) != nil else { return nil }
    do throws(LoadError) { try FileIO.read(path) { bytes += $0 } } catch { return nil }
    return parse(bytes)
  }

  /// Writes the state, or removes it. A failure is ignored: the parts are then sent again.
  static func write(_ saved: MultipartUpload.Saved?, to path: String) {
    guard let saved else { return Platform.remove(path) }
    try? FileIO.replace(path, with: bytes(saved), by: path + ".new")
  }

  static func parse(_ bytes: [UInt8]) -> MultipartUpload.Saved? {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let id = lines.first else { return nil }
    var saved = MultipartUpload.Saved(id: String(id))
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[0]) else { return nil }
      saved.etags[number] = String(parts[1])
    }
    return saved
  }

  static func bytes(_ saved: MultipartUpload.Saved) -> [UInt8] {
    let parts = saved.etags.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    return Array((saved.id + "\n" + parts.joined()).utf8)
  }
}
