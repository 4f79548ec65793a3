package import Cellophane

/// What a line of a list asks for; a record, where one may go over several lines.
package struct ListRecord: Equatable, Sendable {
  /// How many records stand before it.
  package let position: Int
  /// The number of its first line, from 1, blank lines counted.
  package let line: Int
  /// As it stands in the list, without white space at the ends; empty when there is none.
  package var url = ""
  /// Its other fields as the members of a JSON object, without the braces: `"id":5,"label":"cat"`.
  package var carried: [UInt8] = []
  /// Why it asks for nothing.
  package var defect: LoadError?
  /// The bytes of the list up to its end.
  package let end: Int

  package init(
    position: Int, line: Int, url: String = "", carried: [UInt8] = [], defect: LoadError? = nil, end: Int
  ) {
    (self.position, self.line, self.end) = (position, line, end)
    (self.url, self.carried, self.defect) = (url, carried, defect)
  }
}
