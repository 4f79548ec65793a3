package import Cellophane

/// A sample of a WebDataset shard: a picture and the JSON of its result, two files of one archive, one behind the other.
///
/// WebDataset takes files for one sample whose names are equal up to the first dot behind the last slash.
package struct ShardSample: Sendable {
  package let key: String
  /// The name of the picture in the archive.
  package let file: String
  /// Both files with their headers.
  package let bytes: [UInt8]
  private let pictureCount: Int
  private let result: BatchResult

  /// - Throws: ``LoadError/Kind/invalidRequest`` for what is too much for an archive; see ``TarEntry``.
  package init(
    key: String, picture: [UInt8], suffix: String, result: BatchResult
  ) throws(LoadError) {
    (self.key, file, self.result, pictureCount) = (key, key + suffix, result, picture.count)
    // Without its line break.
    let json = Array(result.line.dropLast())
    let entries = [
      (try TarEntry(name: file, bytes: picture.count), picture),
      (try TarEntry(name: key + ".json", bytes: json.count), json),
    ]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.reduce(0) { $0 + TarEntry.block + $1.1.count + $1.0.padding })
    for (entry, content) in entries {
      bytes += entry.header
      bytes += content
      bytes += repeatElement(0, count: entry.padding)
    }
    self.bytes = bytes
  }

  /// The key for what a template of names makes: a dot would end it early, and blanks at its ends get lost.
  package static func key(of path: String) -> String {
    String(
      String.UnicodeScalarView(path.unicodeScalars.map { ". \t".unicodeScalars.contains($0) ? "_" : $0 }))
  }

  /// What an index says of it, in a line: its key, its picture, and where that lies in an archive in which the sample
  /// begins at `offset`.
  package func indexLine(at offset: Int) -> [UInt8] {
    var line = JSONLine()
    line.add("key", key)
    line.add("file", file)
    line.add("offset", offset + TarEntry.block)
    line.add("bytes", pictureCount)
    line.add("index", result.index)
    line.add("url", result.url)
    return line.line()
  }
}
