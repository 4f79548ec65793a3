internal import Cellophane

/// Reads the samples in the index of an archive.
struct IndexReader {
  private let name: String
  private var reader = ListReader(.jsonl, field: FieldName("key"))

  /// - Parameter name: The name of the index, for errors.
  init(name: String) { self.name = name }

  /// Returns the samples that `piece` completes. Without an origin, a sample is not known to be that of any record.
  mutating func read(_ piece: [UInt8]) throws(LoadError) -> [(key: String, origin: String)] {
    try samples(reader.read(piece))
  }

  mutating func finish() throws(LoadError) -> [(key: String, origin: String)] {
    try samples(reader.finish())
  }

  private func samples(_ records: [ListRecord]) throws(LoadError) -> [(key: String, origin: String)] {
    var samples: [(key: String, origin: String)] = []
    for record in records {
      if let defect = record.defect {
        throw LoadError(
          .io,
          "cannot read \(name), line \(record.line): \(defect.message); remove this index, and its samples are loaded again"
        )
      }
      if let origin = record.text(of: "origin") { samples.append((record.url, origin)) }
    }
    return samples
  }
}
