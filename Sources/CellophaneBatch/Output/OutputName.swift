package import Cellophane

/// A template of file names, for example `{hash:2}/{hash}` or `{host}/{index:8}-{name}`.
///
/// Fields with other names than those of ``Field`` are columns of the list.
package struct OutputName: Equatable, Sendable {
  /// A field of a template.
  enum Field: String, CaseIterable {
    /// The line number of the record; a length pads it with zeros.
    case index
    /// The XXH3-128 hash of the written bytes, 32 hexadecimal digits; a length takes the first digits.
    case hash
    /// The hash of the request, 32 hexadecimal digits; a length takes the first digits.
    case key
    /// The host and port of the URL.
    case host
    /// The last component of the URL's path, without its extension.
    case name
    /// The extension of the last component of the URL's path, without the dot.
    case ext
  }

  private enum Part: Equatable {
    case text(String)
    case field(Field, length: Int?)
    case column(String, length: Int?)

    /// The part with reversed text.
    var mirrored: Part { if case .text(let text) = self { .text(String(text.reversed())) } else { self } }
  }

  /// The properties of a record that name and identify its file, except the hash of its content.
  package struct Subject: Sendable {
    package let line: Int
    package let url: String
    /// The hash of the request; nil if the output does not use it.
    package let key: String?
    /// The hash by which an index recognizes the request; nil if it is ``key``.
    let request: String?
    /// The other fields of the record, as in ``ListRecord/otherFields``.
    let otherFields: [UInt8]

    package init(line: Int, url: String, key: String?, request: String? = nil, otherFields: [UInt8] = []) {
      (self.line, self.url, self.key, self.request) = (line, url, key, request)
      self.otherFields = otherFields
    }

    /// Returns the text of the other field with this name; nil without such a field.
    func text(of name: String) -> String? { JSONMembers.text(of: name, in: otherFields) }
  }

  /// The maximum length of a field from a URL, in bytes. 120: file systems allow 255 per name, and a name can
  /// have several fields.
  static let longest = 120

  /// The maximum length of a field.
  static let mostDigits = 32
  /// The paddings of numbers.
  private static let zeros = (0...mostDigits).map { String(repeating: "0", count: $0) }

  private let parts: [Part]
  /// Whether no two requests can have the same name. False only for names from the URL's path or from columns.
  package let isUnique: Bool
  /// Whether no two records can have the same name, not even those of one request: only with the index.
  package let isUniqueToRecord: Bool

  /// - Throws: ``LoadError/Kind/invalidRequest`` for an unmatched brace, a path outside of the folder, or names
  ///   that two records would share, such as `{host}`.
  package init(_ template: String) throws(LoadError) {
    var parts: [Part] = []
    var rest = template[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
        throw Self.refusal(template, "unmatched brace")
      }
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      parts.append(try Self.field(rest[rest.index(after: brace)..<end], of: template))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
    let components = template.split(separator: "/", omittingEmptySubsequences: false)
    guard !components.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !template.contains("\0")
    else {
      throw Self.refusal(
        template,
        "the path must stay within the folder; write a relative path without empty parts, '.' and '..'")
    }
    let unique = parts.indices.filter { Self.isUnique($0, of: parts) }
    isUnique = !unique.isEmpty
    isUniqueToRecord = unique.contains { if case .field(.index, _) = parts[$0] { true } else { false } }
    let isOfRecord = parts.contains {
      switch $0 {
      case .field(.name, _), .column: true
      default: false
      }
    }
    guard isUnique || isOfRecord && !usesContentHash else {
      let hasIndex = parts.contains { if case .field(.index, _) = $0 { true } else { false } }
      throw Self.refusal(
        template,
        "two records could have the same name; "
          + (hasIndex
            ? "put {index} first or last, and separate it from the next field, as in {name}-{index}"
            : "use {index}, {name}, a column of the list, or at least 16 digits of {hash} or {key}"))
    }
  }

  /// Returns whether the part at `index` alone makes all names different. A hash does with enough digits. An
  /// index does if it can be parsed from the path: within its path component, one side has a fixed length,
  /// and the other side does not continue with a digit.
  private static func isUnique(_ index: Int, of parts: [Part]) -> Bool {
    guard case .field(let field, let length) = parts[index] else { return false }
    guard field == .index else { return (field == .hash || field == .key) && length ?? 32 >= 16 }
    let before = parts[..<index].reversed().map(\.mirrored)
    let after = Array(parts[(index + 1)...])
    return Self.isFixed(before) && (Self.endsNumber(after) || Self.isFixed(after))
      || Self.isFixed(after) && Self.endsNumber(before)
  }

  /// Returns whether `parts`, up to the next slash, have the same length for all records.
  private static func isFixed(_ parts: [Part]) -> Bool {
    for part in parts {
      switch part {
      case .text(let text): if text.contains("/") { return true }
      case .field(.hash, _), .field(.key, _): break
      case .field, .column: return false
      }
    }
    return true
  }

  /// Returns whether `parts` never begin with a digit.
  private static func endsNumber(_ parts: [Part]) -> Bool {
    switch parts.first {
    case .text(let text): text.first.map { !("0"..."9").contains($0) } ?? true
    case .field, .column: false
    case nil: true
    }
  }

  /// Returns the path within the folder, without an extension, or nil if it depends on the content.
  package func path(of subject: Subject) -> String? {
    usesContentHash ? nil : path(of: subject, contentHash: "")
  }

  /// Whether the template contains the hash of the content.
  package var usesContentHash: Bool {
    parts.contains { if case .field(.hash, _) = $0 { true } else { false } }
  }

  /// Whether the template contains the hash of the request.
  package var usesKey: Bool {
    parts.contains { if case .field(.key, _) = $0 { true } else { false } }
  }

  /// Whether the index is the only field of the template.
  package var usesOnlyIndex: Bool {
    parts.allSatisfy {
      switch $0 {
      case .text: true
      case .field(let field, _): field == .index
      case .column: false
      }
    }
  }

  /// The columns of the list that the template uses.
  package var columns: [String] {
    parts.compactMap { if case .column(let name, _) = $0 { name } else { nil } }
  }

  /// Whether the template contains a folder.
  package var hasFolders: Bool {
    parts.contains { if case .text(let text) = $0 { text.contains("/") } else { false } }
  }

  /// Returns the path within the folder, without an extension. No URL can make it leave the folder.
  ///
  /// - Parameter contentHash: 32 hexadecimal digits.
  package func path(of subject: Subject, contentHash: String) -> String {
    var path = ""
    for part in parts {
      switch part {
      case .text(let text): path += text
      case .field(.index, let length):
        let digits = String(subject.line)
        path += Self.zeros[max(0, (length ?? 0) - digits.utf8.count)]
        path += digits
      case .field(.hash, let length): path += contentHash.prefix(length ?? 32)
      case .field(.key, let length): path += (subject.key ?? "").prefix(length ?? 32)
      case .field(.host, let length): path += OutputName.clean(Self.host(of: subject.url), length)
      case .field(.name, let length):
        path += OutputName.clean(OutputName.fileName(of: subject.url).stem, length)
      case .field(.ext, let length):
        path += OutputName.clean(OutputName.fileName(of: subject.url).ext, length)
      case .column(let name, let length): path += OutputName.clean(subject.text(of: name) ?? "", length)
      }
    }
    return path
  }

  private static func field(_ text: Substring, of template: String) throws(LoadError) -> Part {
    let colon = text.lastIndex(of: ":")
    let name = String(colon.map { text[..<$0] } ?? text)
    let digits = colon.map { text[text.index(after: $0)...] }
    let length = digits.flatMap { Int($0) }
    guard let field = Field(rawValue: name) else {
      guard !text.isEmpty else { throw refusal(template, "a field has no name") }
      // A colon without a number is a part of the name of a column.
      guard let length else { return .column(String(text), length: nil) }
      return .column(name, length: try checked(length, text, of: template))
    }
    return .field(field, length: digits == nil ? nil : try checked(length ?? 0, text, of: template))
  }

  private static func checked(
    _ length: Int, _ field: Substring, of template: String
  ) throws(LoadError) -> Int {
    guard (1...mostDigits).contains(length) else {
      throw refusal(template, "the length in {\(field)} must be from 1 to \(mostDigits)")
    }
    return length
  }

  private static func refusal(_ template: String, _ reason: String) -> LoadError {
    LoadError(.invalidRequest, "invalid template of file names '\(template)': \(reason)")
  }

  /// Returns the host of a URL with its port; empty without a host.
  private static func host(of url: String) -> String {
    let text = url.utf8
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return "" }
    let rest = text[text.index(after: colon)...]
    guard rest.starts(with: "//".utf8) else { return "" }
    let authority = rest.dropFirst(2).prefix { !"/?#\\".utf8.contains($0) }
    return String(Substring(authority)).lowercased()
  }
}
