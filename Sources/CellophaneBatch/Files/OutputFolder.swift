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
  /// Nil if names are known before loading.
  private let contents: ContentIndex?

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
    contents = name.usesContentHash ? try ContentIndex(in: folder) : nil
  }

  package var needsKeys: Bool { name.usesKey || contents != nil }

  package func location(of subject: OutputName.Subject) -> OutputLocation? {
    if !mayContainFiles { return nil }
    let candidates: [String]
    if let path = name.path(of: subject) {
      candidates = settings.suffixes.map { path + $0 }
    } else {
      guard let content = subject.key.flatMap({ contents?.content(of: $0) }),
        settings.suffixes.contains(content.suffix)
      else { return nil }
      candidates = [name.path(of: subject, contentHash: content.hash) + content.suffix]
    }
    return candidates.first { Platform.size(ofFileAt: folder + "/" + $0) != nil }.map(OutputLocation.init)
  }

  package func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputLocation {
    let (bytes, suffix) = try settings.file(of: item)
    guard let contents else {
      let file = name.path(of: item.subject, contentHash: "") + suffix
      try write(bytes, to: file)
      return OutputLocation(file: file)
    }
    let content = ContentIndex.Content(hash: XXH3.hexadecimal(bytes), suffix: suffix)
    let file = name.path(of: item.subject, contentHash: content.hash) + suffix
    // An existing file has the same content, from another record.
    if Platform.size(ofFileAt: folder + "/" + file) != bytes.count { try write(bytes, to: file) }
    // After the file: a process killed between the two steps only loads the record again.
    if let key = item.subject.key { contents.add(content, for: key) }
    return OutputLocation(file: file)
  }

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
