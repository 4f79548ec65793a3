package import Cellophane

/// A template for the names of files: `{hash:2}/{hash}`, `{host}/{index:8}-{name}`.
package struct OutputName: Equatable, Sendable {
  /// What a template may name.
  enum Field: String, CaseIterable {
    /// The number of the line; a length fills it with zeros in front.
    case index
    /// XXH3-128 of the bytes that are written, 32 hexadecimal digits; a length takes that many of them.
    case hash
    /// What the request is known by in a disk cache, 32 hexadecimal digits; a length takes that many of them.
    case key
    /// The host of the URL.
    case host
    /// The last part of the URL's path, without what follows its last dot.
    case name
  }

  private enum Part: Equatable {
    case text(String)
    case field(Field, length: Int?)

    /// As it reads from its end.
    var mirrored: Part { if case .text(let text) = self { .text(String(text.reversed())) } else { self } }
  }

  /// What a file is named by before its bytes are known.
  package struct Subject: Sendable {
    package let line: Int
    package let url: String
    /// What the request is known by; nil where no name takes it.
    package let key: String?

    package init(line: Int, url: String, key: String?) {
      (self.line, self.url, self.key) = (line, url, key)
    }
  }

  /// The longest name that a URL gives, in bytes. 120: file systems take 255, and there may be several in one.
  private static let longest = 120

  /// The longest length that a field has.
  private static let mostDigits = 32
  /// What numbers are filled up with.
  private static let zeros = (0...mostDigits).map { String(repeating: "0", count: $0) }

  private let parts: [Part]

  /// - Throws: ``LoadError/Kind/invalidRequest`` for a field that there is not, a brace without its other, a path that
  ///   leaves the folder, or names that two lines could have.
  package init(_ template: String) throws(LoadError) {
    var parts: [Part] = []
    var rest = template[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
        throw Self.refusal(template, "a brace has no other")
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
      throw Self.refusal(template, "it has to stay within the folder")
    }
    guard parts.indices.contains(where: { Self.tellsLinesApart($0, of: parts) }) else {
      let hasIndex = parts.contains { if case .field(.index, _) = $0 { true } else { false } }
      throw Self.refusal(
        template,
        "two lines could have one name; "
          + (hasIndex
            ? "put {index} first or last, with something between it and its neighbour, as {name}-{index}"
            : "use {index}, {hash} or {key} as a whole"))
    }
  }

  /// True when no two lines have the same in one place of a template, wherever it begins and ends: digits of a hash by
  /// their number, an index if it can be read from its path. That is the case when what stands on one side of it, within
  /// its part of the path, is always as long, and it ends on the other before something that is no digit.
  private static func tellsLinesApart(_ place: Int, of parts: [Part]) -> Bool {
    guard case .field(let field, let length) = parts[place] else { return false }
    guard field == .index else { return (field == .hash || field == .key) && length ?? 32 >= 16 }
    let before = parts[..<place].reversed().map(\.mirrored)
    let after = Array(parts[(place + 1)...])
    return Self.isFixed(before) && (Self.endsNumber(after) || Self.isFixed(after))
      || Self.isFixed(after) && Self.endsNumber(before)
  }

  /// True when what `parts` give up to the end of a path's part is as long for all lines.
  private static func isFixed(_ parts: [Part]) -> Bool {
    for part in parts {
      switch part {
      case .text(let text): if text.contains("/") { return true }
      case .field(.hash, _), .field(.key, _): break
      case .field: return false
      }
    }
    return true
  }

  /// True when no digit stands at the beginning of what `parts` give.
  private static func endsNumber(_ parts: [Part]) -> Bool {
    switch parts.first {
    case .text(let text): text.first.map { !("0"..."9").contains($0) } ?? true
    case .field: false
    case nil: true
    }
  }

  /// The path within the folder, without an extension; nil when it takes the content.
  package func path(of subject: Subject) -> String? {
    isOfContent ? nil : path(of: subject, contentHash: "")
  }

  /// True when there is a hash of the content in it.
  package var isOfContent: Bool {
    parts.contains { if case .field(.hash, _) = $0 { true } else { false } }
  }

  /// True when there is what the request is known by in it.
  package var isOfKey: Bool {
    parts.contains { if case .field(.key, _) = $0 { true } else { false } }
  }

  /// True when nothing but the number of a line tells its paths apart.
  package var isOfLineAlone: Bool {
    parts.allSatisfy { if case .field(let field, _) = $0 { field == .index } else { true } }
  }

  /// True when there is a folder in it.
  package var hasFolders: Bool {
    parts.contains { if case .text(let text) = $0 { text.contains("/") } else { false } }
  }

  /// The path within the folder, without an extension. Nothing in a URL leads out of it.
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
      case .field(.host, let length): path += Self.clean(Self.host(of: subject.url), length)
      case .field(.name, let length): path += Self.clean(Self.stem(of: subject.url), length)
      }
    }
    return path
  }

  private static func field(_ text: Substring, of template: String) throws(LoadError) -> Part {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let field = Field(rawValue: String(halves[0])) else {
      let known = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
      throw refusal(template, "there is no {\(text)}, but \(known)")
    }
    guard halves.count > 1 else { return .field(field, length: nil) }
    guard let length = Int(halves[1]), (1...mostDigits).contains(length) else {
      throw refusal(template, "the length in {\(text)} is from 1 to \(mostDigits)")
    }
    return .field(field, length: length)
  }

  private static func refusal(_ template: String, _ reason: String) -> LoadError {
    LoadError(.invalidRequest, "'\(template)' names no files: \(reason)")
  }

  /// The host of a URL, with its port; empty when there is none.
  private static func host(of url: String) -> String {
    let text = url.utf8
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return "" }
    let rest = text[text.index(after: colon)...]
    guard rest.starts(with: "//".utf8) else { return "" }
    let authority = rest.dropFirst(2).prefix { !"/?#\\".utf8.contains($0) }
    return String(Substring(authority)).lowercased()
  }

  /// The last part of the path of a URL, without its extension.
  private static func stem(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    // Behind the host, if there is one.
    let rest = path.split(separator: "://", maxSplits: 1).last ?? ""
    guard let slash = rest.lastIndex(of: "/") else { return "" }
    let name = rest[rest.index(after: slash)...]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  /// What is safe in a name on every system, the rest as `_`.
  private static func clean(_ text: String, _ length: Int?) -> String {
    let kept = text.utf8.prefix(length ?? longest).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        byte
      default: UInt8(ascii: "_")
      }
    }
    let name = String(decoding: kept, as: UTF8.self)
    // A dot in front hides a file, or leads elsewhere.
    return name.isEmpty || name.hasPrefix(".") ? "_" + name : name
  }
}
