internal import Cellophane
internal import CellophaneBatch

/// The directory that bodies and pictures are written to, each under its own name.
struct OutputFolder: BatchOutput {
  private let folder: String
  private let name: OutputName
  private let form: OutputForm
  private let replaces: Bool
  /// Whether a file of a line may be there before the line is loaded: not in a folder in which nothing was at first, where
  /// each line has a name of its own.
  private let mayHold: Bool
  private let scratch: ScratchFolder
  /// Nil where names are known before loading.
  private let contents: ContentIndex?

  /// - Parameters:
  ///   - replaces: What is there is written anew.
  ///   - numbersRepeat: Two lines may have one number.
  /// - Throws: ``LoadError/Kind/io`` when the directory cannot be made.
  init(
    _ folder: String, name: OutputName, form: OutputForm, replaces: Bool, numbersRepeat: Bool
  ) throws(LoadError) {
    try FileOutput.makeDirectory(folder)
    (self.folder, self.name, self.form, self.replaces) = (folder, name, form, replaces)
    scratch = ScratchFolder(in: folder)
    let hasOwnNames = name.isOfLineAlone && !numbersRepeat
    mayHold = !replaces && !(hasOwnNames && Platform.isEmptyDirectory(folder))
    contents = name.isOfContent ? try ContentIndex(in: folder) : nil
  }

  var needsKeys: Bool { name.isOfKey || contents != nil }

  func place(of subject: OutputName.Subject) -> OutputPlace? {
    if !mayHold { return nil }
    let candidates: [String]
    if let path = name.path(of: subject) {
      candidates = form.suffixes.map { path + $0 }
    } else {
      guard let content = subject.key.flatMap({ contents?.content(of: $0) }),
        form.suffixes.contains(content.suffix)
      else { return nil }
      candidates = [name.path(of: subject, contentHash: content.hash) + content.suffix]
    }
    return candidates.first { Platform.size(ofFileAt: folder + "/" + $0) != nil }.map(OutputPlace.init)
  }

  func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputPlace {
    let (bytes, suffix) = try form.file(of: item)
    guard let contents else {
      let file = name.path(of: item.subject, contentHash: "") + suffix
      try write(bytes, to: file)
      return OutputPlace(file: file)
    }
    let content = ContentIndex.Content(hash: XXH3.hexadecimal(bytes), suffix: suffix)
    let file = name.path(of: item.subject, contentHash: content.hash) + suffix
    // When it is there, it is another line's, with the same content.
    if Platform.size(ofFileAt: folder + "/" + file) != bytes.count { try write(bytes, to: file) }
    // Behind the file: what is killed between the two is loaded again.
    if let key = item.subject.key { contents.add(content, for: key) }
    return OutputPlace(file: file)
  }

  // Each file is whole as soon as it is there.
  func finish() { scratch.remove() }

  private func write(_ bytes: [UInt8], to file: String) throws(LoadError) {
    let path = folder + "/" + file
    var parent = folder
    if name.hasFolders, let end = path.lastIndex(of: "/") {
      parent = String(path[..<end])
      try FileOutput.makeDirectory(parent)
    }
    if !replaces, try FileOutput.create(path, in: parent, with: bytes) { return }
    try FileOutput.replace(path, with: bytes, by: try scratch.next())
  }
}
