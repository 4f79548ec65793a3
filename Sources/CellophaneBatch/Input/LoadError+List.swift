internal import Cellophane

extension LoadError {
  /// Returns the error for a record that is too long. It names the lines of the record if there are several,
  /// because they have only one result.
  static func tooLong(_ format: ListFormat, _ lines: ClosedRange<Int>? = nil) -> LoadError {
    let lines = lines.flatMap { $0.count > 1 ? $0 : nil }
    let taken = lines.map { ", lines \($0.lowerBound) to \($0.upperBound)," } ?? ""
    let quote = lines == nil ? "" : "; is a quote not closed?"
    return LoadError(
      .invalidRequest, "the record\(taken) is longer than \(format.longestRecord) bytes\(quote)")
  }

  /// Returns the error for text that is not UTF-8. Replacing the invalid bytes would make another URL.
  static func notUTF8(_ name: String) -> LoadError {
    LoadError(
      .invalidRequest,
      "the \(name) is not UTF-8; convert the list, for example with iconv -f LATIN1 -t UTF-8")
  }

  static var noResults: LoadError {
    LoadError(
      .invalidRequest, "its first line is not a result; name the --jsonl file of an earlier run")
  }

  static func notAList(_ endless: Int) -> LoadError {
    LoadError(.io, "it is not a list: its first line has more than \(endless) bytes")
  }
}
