package import Cellophane

/// A sample of a WebDataset shard: an image and the JSON of its result, two consecutive files of an archive.
///
/// In WebDataset, the files of a sample have the same name up to the first dot after the last slash.
package struct ShardSample: Sendable {
  package let key: String
  /// The name of the image in the archive.
  package let file: String
  /// Both files with their headers and paddings.
  package let bytes: [UInt8]
  private let pictureCount: Int
  private let result: BatchResult

  /// - Throws: ``LoadError/Kind/invalidRequest`` for a name or a size that exceeds the limits of
  ///   ``TarEntry``.
  package init(
    key: String, picture: [UInt8], suffix: String, result: BatchResult
  ) throws(LoadError) {
    (self.key, file, self.result, pictureCount) = (key, key + suffix, result, picture.count)
    // Without the line break.
    let json = Array(result.jsonLine.dropLast())
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

  /// Returns the key for a path from a template. Dots and white space become `_`: a dot would end the key,
  /// and readers remove white space at its ends.
  package static func key(of path: String) -> String {
    String(
      String.UnicodeScalarView(path.unicodeScalars.map { ". \t".unicodeScalars.contains($0) ? "_" : $0 }))
  }

  /// Returns the line of the sample in the index of its archive: the key, and the name and position of the
  /// image.
  ///
  /// - Parameter offset: The position of the sample in the archive.
  package func indexLine(at offset: Int) -> [UInt8] {
    var json = JSONLine()
    json.add("key", key)
    json.add("file", file)
    json.add("offset", offset + TarEntry.block)
    json.add("bytes", pictureCount)
    json.add("index", result.index)
    json.add("url", result.url)
    return json.line()
  }
}
