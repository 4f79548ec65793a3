internal import Cellophane
internal import CellophaneBatch

/// The directory that bodies are written to, by the number of their line.
struct OutputFolder: Sendable {
  private let folder: String

  init(_ path: String) throws(LoadError) {
    try FileOutput.makeDirectory(path)
    folder = path
  }

  /// Writes what a line came to: the body as it came, or, `resized`, its picture.
  func keep(_ item: BatchWork.Item, resized: Bool) throws(LoadError) {
    let number = item.record.line
    guard let (header, image) = item.picture else {
      return try FileOutput.write(item.body.bytes, to: path(number: number))
    }
    let path = path(number: number, extension: header.format == .png ? "png" : "jpg")
    guard resized else { return try FileOutput.write(item.body.bytes, to: path) }
    try FileOutput.write(image, as: header.format == .png ? .png : .jpeg(quality: 90), to: path)
  }

  /// Where the body of a line is written.
  private func path(number: Int, extension suffix: String? = nil) -> String {
    let digits = String(number)
    // Eight digits keep the order of names that of lines for any list of practical length.
    let name = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    return folder + "/" + name + (suffix.map { "." + $0 } ?? "")
  }
}
