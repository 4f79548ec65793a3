internal import Cellophane
internal import CellophaneBatch

/// The directory that bodies and pictures are written to, each under its own name.
struct OutputFolder: BatchOutput {
  private let folder: String
  private let name: OutputName
  private let form: OutputForm
  private let replaces: Bool
  private let scratch: ScratchFolder

  /// - Parameter replaces: What is there is written anew.
  /// - Throws: ``LoadError/Kind/io`` when the directory cannot be made.
  init(_ folder: String, name: OutputName, form: OutputForm, replaces: Bool) throws(LoadError) {
    try FileOutput.makeDirectory(folder)
    (self.folder, self.name, self.form, self.replaces) = (folder, name, form, replaces)
    scratch = ScratchFolder(in: folder)
  }

  func place(of subject: OutputName.Subject) -> OutputPlace? {
    guard !replaces, let path = name.path(of: subject) else { return nil }
    let file = form.suffixes.lazy.map { path + $0 }.first {
      Platform.size(ofFileAt: folder + "/" + $0) != nil
    }
    return file.map(OutputPlace.init)
  }

  func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputPlace {
    let (bytes, suffix) = try form.file(of: item)
    let file =
      name.path(of: item.subject, contentHash: name.isOfContent ? XXH3.hexadecimal(bytes) : "") + suffix
    let path = folder + "/" + file
    // Another line's, with the same content.
    if name.isOfContent, Platform.size(ofFileAt: path) == bytes.count { return OutputPlace(file: file) }
    if name.hasFolders, let end = path.lastIndex(of: "/") {
      try FileOutput.makeDirectory(String(path[..<end]))
    }
    try FileOutput.replace(path, with: bytes, by: try scratch.next())
    return OutputPlace(file: file)
  }

  // Each file is whole as soon as it is there.
  func finish() { scratch.remove() }
}
