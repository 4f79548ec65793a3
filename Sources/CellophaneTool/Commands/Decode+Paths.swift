internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// The files that `decode` reads and writes.
extension Decode {
  /// A file to decode.
  struct Subject {
    /// The file as messages name it.
    let name: String
    /// Its path, or the reason that it has no path.
    let path: Result<String, LoadError>
    /// Its path below the output directory, without an extension that it may lack.
    let output: String
  }

  /// True if `--output` names a directory: an existing one, or a name without an extension of an image.
  var writesFolder: Bool {
    guard let output = result.output else { return false }
    return Platform.isDirectory(output) ?? (ImageEncoders.ofTool.encoding(fileName: output) == nil)
  }

  /// The files of the arguments, with the images in their directories.
  var subjects: [Subject] {
    files.flatMap { argument -> [Subject] in
      do throws(LoadError) {
        let path = try FileIO.path(of: argument)
        guard path != "-", Platform.isDirectory(path) == true else {
          let name = path.split(separator: "/").last.map(String.init) ?? path
          return [Subject(name: argument, path: .success(path), output: name)]
        }
        let folder = path.hasSuffix("/") ? path : path + "/"
        return try ImageFolder.images(
          in: path, of: pixels.decoder.formats, except: writesFolder ? result.output : nil
        ).map {
          Subject(name: folder + $0, path: .success(folder + $0), output: $0)
        }
      } catch {
        return [Subject(name: argument, path: .failure(error), output: "")]
      }
    }
  }

  /// - Throws: `ValidationError` if `--output` or `--rgba` do not fit the files.
  func checkOutputs() throws {
    let isSeveral = files.count > 1 || files.contains { Platform.isDirectory($0) == true }
    let given = files.count > 1 ? "there are \(files.count) paths" : "\(files[0]) is a directory"
    if isSeveral, result.rgba != nil { throw ValidationError("--rgba needs one file, but \(given)") }
    guard let output = result.output else { return }
    if output.isEmpty { throw ValidationError("--output is empty; name a file or a directory") }
    if output == "-" || ImageEncoders.ofTool.isForeign(fileName: output),
      !(Platform.isDirectory(output) ?? false)
    {
      throw ValidationError(
        "cannot encode '\(output)'; use a name that ends in \(ImageEncoders.ofTool.names), or name a directory"
      )
    }
    guard writesFolder else {
      if isSeveral {
        throw ValidationError(
          "--output must name a directory, because \(given); '\(output)' is the name of a file")
      }
      return
    }
    if files.contains("-") {
      throw ValidationError("standard input has no name; write it to a file, such as -o image.png")
    }
    if let folder = Platform.realPath(output),
      let same = files.first(where: { Platform.isDirectory($0) == true && Platform.realPath($0) == folder })
    {
      throw ValidationError("the images in \(same) would be overwritten; choose another directory")
    }
  }

  /// The directory of `--output`, which keeps its files apart.
  struct OutputFolder {
    let path: String
    /// The decoded files, without symbolic links.
    private let sources: Set<String>
    /// The written files with their sources.
    private var written: [String: String] = [:]

    /// Makes the directory.
    init(_ path: String, of subjects: [Subject]) throws(LoadError) {
      try FileIO.makeDirectory(path)
      self.path = path
      sources = Set(subjects.compactMap { (try? $0.path.get()).flatMap(Platform.realPath) })
    }

    /// Returns the path and the encoding for the image of `subject`, which has `format`, and makes its directory.
    ///
    /// - Throws: ``LoadError/Kind/io`` if it would replace a decoded file or another output of this run.
    mutating func target(
      of subject: Subject, _ format: ImageFormat
    ) throws(LoadError) -> (path: String, encoding: Image.Encoding) {
      let encoders = ImageEncoders.ofTool
      let named = encoders.encoding(fileName: subject.output)
      let target =
        (path.hasSuffix("/") ? path : path + "/") + subject.output
        + (named != nil ? "" : "." + encoders.encoding(for: format).format.fileExtension)
      if let other = written.updateValue(subject.name, forKey: target) {
        throw LoadError(
          .io,
          "cannot write \(target): it has the image of \(other); to keep both, decode the directory above them"
        )
      }
      if let real = Platform.realPath(target), sources.contains(real) {
        throw LoadError(.io, "cannot write \(target): it is a decoded file; choose another directory")
      }
      try FileIO.makeDirectory(String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)]))
      return (target, named ?? encoders.encoding(for: format))
    }
  }
}
