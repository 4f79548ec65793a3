internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// The rules of owners, and the hashes, metadata and boxes of records.
struct DataSetOptions: ParsableArguments {
  @Flag(
    help: """
      Obey the robots.txt of each origin, by the product of --user-agent, and for written images its tdmrep.json. Records \
      that these files forbid are opted-out. (default: request every URL)
      """)
  var robots = false

  @Option(
    help: ArgumentHelp(
      """
      Fail records whose body does not have the hash in this column: md5:COLUMN, sha256:COLUMN or sha512:COLUMN, in \
      hexadecimal digits. (default: accept every body)
      """, valueName: "hash:column"))
  var verify: String?

  @Option(
    help: ArgumentHelp(
      "Compute this hash of each body for the results. (default: xxh3-128)", valueName: "hash"))
  var hash: BodyHash?

  @Flag(
    help: "Add the EXIF fields of images to the results. They may contain positions and names of persons.")
  var exif = false

  @Option(
    help: ArgumentHelp(
      """
      Crop images before they are resized: four columns with the left edge, the top edge, the width and the height in \
      pixels, or one column with these four numbers. (default: complete images)
      """, valueName: "name,..."))
  var cropColumns: String?

  /// The columns with the box and the expected hash of each record.
  func columns() throws(LoadError) -> RecordColumns {
    RecordColumns(crop: try crop(), verification: try verification())
  }

  private func crop() throws(LoadError) -> CropColumns? {
    guard let cropColumns else { return nil }
    return try CropColumns(
      cropColumns.split(separator: ",", omittingEmptySubsequences: false).map { String($0) })
  }

  private func verification() throws(LoadError) -> HashColumn? {
    guard let verify else { return nil }
    let parts = verify.split(separator: ":", maxSplits: 1).map { String($0) }
    guard parts.count == 2, let hash = BodyHash(rawValue: parts[0]) else {
      throw LoadError(.invalidRequest, "'\(verify)' is not a hash and a column; write sha256:COLUMN")
    }
    return HashColumn(hash, in: parts[1])
  }

  /// - Parameter hasResults: True if results are written.
  /// - Throws: `ValidationError` if the options do not fit together.
  func check(_ kind: ContentKind, hasResults: Bool) throws {
    do throws(LoadError) { _ = try crop() } catch {
      throw ValidationError("--crop-columns: \(error.message)")
    }
    do throws(LoadError) { _ = try verification() } catch {
      throw ValidationError("--verify: \(error.message)")
    }
    if kind == .bytes, cropColumns != nil { throw ValidationError("--crop-columns needs --as image") }
    if kind == .bytes, exif { throw ValidationError("--exif needs --as image") }
    for (name, isGiven) in [("hash", hash != nil), ("exif", exif)] where isGiven && !hasResults {
      throw ValidationError("--\(name) changes only results; add --jsonl or --webdataset")
    }
  }
}

extension BodyHash: Choice {}
