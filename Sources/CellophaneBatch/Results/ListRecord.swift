package import Cellophane

/// One record of a list: a line, or several lines with quoted line breaks.
package struct ListRecord: Equatable, Sendable {
  /// The number of records before this one.
  package let position: Int
  /// The number of its first line, from 1, including blank lines.
  package let line: Int
  /// The URL without white space at its ends; empty if the record has none.
  package var url = ""
  /// The other fields as members of a JSON object, without the braces: `"id":5,"label":"cat"`.
  package var otherFields: [UInt8] = []
  /// The reason why the record cannot be loaded; nil if it can.
  package var defect: LoadError?
  /// The number of bytes of the list up to the end of the record.
  package let end: Int

  /// Returns the text of the other field with this name; nil without such a field.
  func text(of name: String) -> String? { JSONMembers.text(of: name, in: otherFields) }

  package init(
    position: Int, line: Int, url: String = "", otherFields: [UInt8] = [], defect: LoadError? = nil, end: Int
  ) {
    (self.position, self.line, self.end) = (position, line, end)
    (self.url, self.otherFields, self.defect) = (url, otherFields, defect)
  }
}
