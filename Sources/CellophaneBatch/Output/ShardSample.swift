package import Cellophane

/// A sample of a WebDataset shard: an image, its caption if it has one, and the JSON of its result, as consecutive files
/// of an archive.
///
/// In WebDataset, the files of a sample have the same name up to the first dot after the last slash.
package struct ShardSample: Sendable {
  package let key: String
  /// The name of the image in the archive.
  package let file: String
  /// The extension of the image, without the dot.
  let format: String
  /// All files with their headers and paddings.
  package let bytes: [UInt8]
  /// The hash of the request, the options and the caption; see ``OutputSettings/originHash(of:caption:)``.
  package let origin: String
  /// The position of the image in `bytes`.
  private let pictureStart: Int
  /// The length of the image in bytes.
  let pictureCount: Int
  /// True if the sample has a caption with text.
  let hasCaption: Bool
  let result: BatchResult

  /// - Parameter caption: The content of the file `KEY.txt`; nil for no such file.
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a name or a size that exceeds the limits of
  ///   ``TarEntry``.
  package init(
    key: String, picture: [UInt8], suffix: String, caption: String? = nil, origin: String, result: BatchResult
  ) throws(LoadError) {
    (self.key, file, self.origin, self.result) = (key, key + suffix, origin, result)
    format = String(suffix.dropFirst())
    hasCaption = caption?.isEmpty == false
    // Without the line break.
    var files = [(suffix, picture), (".json", Array(result.jsonLine.dropLast()))]
    if let caption { files.insert((".txt", Array(caption.utf8)), at: 1) }
    var entries: [(TarEntry, [UInt8])] = []
    for (suffix, content) in files {
      entries.append((try TarEntry(name: key + suffix, bytes: content.count), content))
    }
    (pictureStart, pictureCount) = (entries[0].0.header.count, picture.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.reduce(0) { $0 + $1.0.header.count + $1.1.count + $1.0.padding })
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

  /// Returns the line of the sample in the index of its archive: the key, the name and position of the image, and the
  /// hash of its origin.
  ///
  /// - Parameter offset: The position of the sample in the archive.
  package func indexLine(at offset: Int) -> [UInt8] {
    var json = JSONLine()
    json.add("key", key)
    json.add("file", file)
    json.add("offset", offset + pictureStart)
    json.add("bytes", pictureCount)
    json.add("index", result.index)
    json.add("url", result.url)
    json.add("origin", origin)
    return json.line()
  }
}
