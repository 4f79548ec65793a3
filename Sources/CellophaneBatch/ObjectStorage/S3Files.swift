package import Cellophane
package import CellophaneS3

/// A location in an object store with one object for each body or image.
package final class S3Files: BatchOutput {
  private let client: S3Client
  private let name: OutputName
  private let settings: OutputSettings
  private let replaces: Bool
  private let contents: S3Contents
  /// Nil if no two records can have the same name.
  private let claims: NameClaims?

  /// Opens the location.
  ///
  /// - Parameters:
  ///   - replaces: True to replace existing objects.
  ///   - numbersRepeat: True if two records may have the same number.
  /// - Throws: ``LoadError/Kind/io`` if the location cannot be used.
  package init(
    _ client: S3Client, name: OutputName, settings: OutputSettings, replaces: Bool, numbersRepeat: Bool
  ) async throws(LoadError) {
    (self.client, self.name, self.settings, self.replaces) = (client, name, settings, replaces)
    // Records of one request have different objects if their columns differ.
    let isUnique = settings.columns.names.isEmpty ? name.isUnique : name.isUniqueToRecord
    claims = isUnique && !numbersRepeat ? nil : NameClaims()
    contents = try await S3Contents(client)
  }

  package let sharesFiles = true

  package func claimName(of subject: OutputName.Subject) throws(LoadError) {
    if let claims, let path = name.path(of: subject) {
      try claims.claim(path, for: subject, settings.columns.identity(subject.text))
    }
  }

  package func location(of subject: OutputName.Subject) -> OutputLocation? {
    if replaces || contents.isEmpty { return nil }
    let path = name.path(of: subject)
    guard let entry = contents.entry(of: path, from: settings.originHash(of: subject)),
      settings.suffixes.contains(entry.suffix)
    else { return nil }
    return OutputLocation(file: (path ?? name.path(of: subject, contentHash: entry.content)) + entry.suffix)
  }

  package func keep(_ item: BatchWork.Item) async throws(LoadError) -> OutputLocation {
    let (bytes, suffix) = try settings.file(of: item)
    let path = name.path(of: item.subject)
    let content = path == nil ? XXH3.hexadecimal(bytes) : nil
    let file = (path ?? name.path(of: item.subject, contentHash: content ?? "")) + suffix
    do throws(S3Error) {
      // A line of the index counts only with the entity tag of its object. Until the line is written, the object is
      // loaded again.
      let etag = try await client.put(file, .bytes(bytes), type: Self.type(of: suffix))
      await contents.add(
        S3Contents.Line(
          file: file, suffix: suffix.utf8.count, origin: settings.originHash(of: item.subject),
          content: content,
          etag: etag))
      // Images of other formats that this name led to.
      for former in path.map(contents.suffixes) ?? [] where former != suffix {
        try await client.delete((path ?? "") + former)
      }
    } catch {
      throw error.loadError("write \(client.location)\(file)")
    }
    return OutputLocation(file: file)
  }

  package func finish() async throws(LoadError) {
    do throws(S3Error) { try await contents.write() } catch {
      throw error.loadError("write the index in \(client.location)\(S3Contents.folder)")
        .appending("; the files are complete, but the next run loads some of them again")
    }
  }

  private static func type(of suffix: String) -> String {
    switch suffix {
    case ".jpg": "image/jpeg"
    case ".png", ".webp", ".gif", ".avif": "image/" + suffix.dropFirst()
    default: "application/octet-stream"
    }
  }
}
