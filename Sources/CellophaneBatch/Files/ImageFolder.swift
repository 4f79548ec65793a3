package import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The images of a directory and of the directories in it.
package enum ImageFolder {
  /// Returns the paths of the files in `folder` whose names have the extension of one of `formats`, relative to it and in
  /// order. Hidden names, links to directories and the directory `output` are left out.
  ///
  /// - Throws: ``LoadError/Kind/io`` if a directory cannot be read, or if there is no such file.
  package static func images(
    in folder: String, of formats: [ImageFormat], except output: String?
  ) throws(LoadError) -> [String] {
    var images: [String] = []
    let output = output.flatMap(Platform.realPath)
    // Directories below `folder`, relative to it, with a slash at the end.
    var rest = [""]
    while let part = rest.popLast() {
      let directory = folder + "/" + part
      let names: [String]
      do { names = try FileManager.default.contentsOfDirectory(atPath: directory) } catch {
        let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EIO
        throw LoadError(.io, "cannot read \(directory): \(Platform.reason(code))")
      }
      for name in names where !name.hasPrefix(".") {
        let path = directory + name
        switch Platform.isDirectory(path) {
        case true?:
          let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
          if !isLink, output == nil || Platform.realPath(path) != output { rest.append(part + name + "/") }
        case false?: if formats.contains(where: { $0.isUsual(for: name) }) { images.append(part + name) }
        case nil: break
        }
      }
    }
    if images.isEmpty {
      let extensions = formats.map { "." + $0.fileExtension }
      let list = extensions.dropLast().joined(separator: ", ") + " or " + (extensions.last ?? "")
      throw LoadError(.io, "cannot read \(folder): no file in it has a name that ends in \(list)")
    }
    return images.sorted()
  }
}

extension ImageFormat {
  /// Returns true if `fileName` has an extension of the format.
  fileprivate func isUsual(for fileName: String) -> Bool {
    ImageEncoders.standard.encoding(fileName: fileName).map { $0.format == self }
      ?? (ImageEncoders.extension(of: fileName) == fileExtension)
  }
}

extension Platform {
  /// Returns the absolute path of what exists at `path`, without symbolic links; nil if nothing exists there.
  package static func realPath(_ path: String) -> String? {
    guard let absolute = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(absolute) }
    return unsafe String(cString: absolute)
  }
}

extension FileIO {
  /// Returns the path of the file that `argument` names: a path, or a URL such as `file:///a%20b.jpg`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a file URL of another host or without a path.
  package static func path(of argument: String) throws(LoadError) -> String {
    guard argument.prefix(5).lowercased() == "file:", Platform.isDirectory(argument) == nil else {
      return argument
    }
    let (url, _) = try CanonicalURL.parse(argument)
    guard let path = URLComponents(string: url)?.path, !path.isEmpty else {
      throw LoadError(.invalidRequest, "not a valid file URL: '\(argument)'; write file:///path")
    }
    return path
  }
}
