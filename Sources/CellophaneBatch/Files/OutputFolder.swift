package import Cellophane

/// A directory with one file for each body or image.
package struct OutputFolder: BatchOutput {
  private let folder: String
  private let name: OutputName
  private let settings: OutputSettings
  private let replaces: Bool
  /// True if an existing file may make the load of a record unnecessary. False if existing files are replaced, and in a
  /// directory that was empty at the start if each record has its own name.
  private let mayContainFiles: Bool
  private let scratch: ScratchFolder
  private let index: OutputIndex
  /// Nil if no two records can have the same name.
  private let claims: NameClaims?

  /// Creates the directory if it does not exist.
  ///
  /// - Parameters:
  ///   - replaces: True to replace existing files.
  ///   - numbersRepeat: True if two records may have the same number.
  /// - Throws: ``LoadError/Kind/io`` if the directory cannot be created.
  package init(
    _ folder: String, name: OutputName, settings: OutputSettings, replaces: Bool, numbersRepeat: Bool
  ) throws(LoadError) {
    try FileIO.makeDirectory(folder)
    (self.folder, self.name, self.settings, self.replaces) = (folder, name, settings, replaces)
    scratch = ScratchFolder(in: folder)
    let namesAreUnique = name.usesOnlyIndex && !numbersRepeat
    mayContainFiles = !replaces && !(namesAreUnique && Platform.isEmptyDirectory(folder))
    index = try OutputIndex(in: folder)
    // Records of one request have different files if their columns differ.
    let isUnique = settings.columns.names.isEmpty ? name.isUnique : name.isUniqueToRecord
    claims = isUnique && !numbersRepeat ? nil : NameClaims()
  }

  package let sharesFiles = true

  package func claimName(of subject: OutputName.Subject) throws(LoadError) {
    if let claims, let path = name.path(of: subject) {
      try claims.claim(path, for: subject, settings.columns.identity(subject.text))
    }
  }

  package func location(of subject: OutputName.Subject) -> OutputLocation? {
    if !mayContainFiles { return nil }
    let origin = settings.originHash(of: subject)
    let path = name.path(of: subject)
    guard let content = index.content(of: path.map(Self.key) ?? origin),
      path == nil || content.hash == origin,
      settings.suffixes.contains(content.suffix)
    else { return nil }
    let file = (path ?? name.path(of: subject, contentHash: content.hash)) + content.suffix
    guard let size = Platform.size(ofFileAt: folder + "/" + file), size > 0 || !settings.writesImages else {
      return nil
    }
    return OutputLocation(file: file)
  }

  package func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputLocation {
    let (bytes, suffix) = try settings.file(of: item)
    let origin = settings.originHash(of: item.subject)
    guard let path = name.path(of: item.subject) else {
      let content = OutputIndex.Content(hash: XXH3.hexadecimal(bytes), suffix: suffix)
      let file = name.path(of: item.subject, contentHash: content.hash) + suffix
      // An existing file has the same content, from another record.
      if Platform.size(ofFileAt: folder + "/" + file) != bytes.count { try write(bytes, to: file) }
      // After the file: a process killed between the two steps only loads the record again.
      if index.content(of: origin) != content { index.add(content, for: origin) }
      return OutputLocation(file: file)
    }
    let (key, content) = (Self.key(of: path), OutputIndex.Content(hash: origin, suffix: suffix))
    let former = index.content(of: key)
    // Before the file: a process killed after it must not leave it with the origin of the former file.
    if let former, former != content { index.add(.none, for: key) }
    try write(bytes, to: path + suffix)
    if former != content { index.add(content, for: key) }
    // The image of another format that this name led to.
    if let former, former != .none, former.suffix != suffix {
      Platform.remove(folder + "/" + path + former.suffix)
    }
    return OutputLocation(file: path + suffix)
  }

  private static func key(of path: String) -> String { XXH3.hexadecimal(Array(path.utf8)) }

  // Each file is complete as soon as it has its name.
  package func finish() { scratch.remove() }

  private func write(_ bytes: [UInt8], to file: String) throws(LoadError) {
    let path = folder + "/" + file
    var parent = folder
    if name.hasFolders, let end = path.lastIndex(of: "/") {
      parent = String(path[..<end])
      try FileIO.makeDirectory(parent)
    }
    if !replaces, try FileIO.create(path, in: parent, with: bytes) { return }
    try FileIO.replace(path, with: bytes, by: try scratch.next())
  }
}
