/// The names that a source file declares and uses.
struct SourceNames {
  let file: String
  /// The top-level types and functions that other files can use.
  private(set) var declared: Set<String> = []
  /// The types and functions within each type that the file declares or extends.
  private(set) var members: [String: Set<String>] = [:]
  /// The private declarations and generic parameters of this file. They hide names of other files.
  private(set) var local: Set<String> = []
  private let tokens: [SourceTokens.Token]

  init(_ source: String, file: String) {
    self.file = file
    tokens = SourceTokens(source).tokens
    readDeclarations()
  }

  private static let types: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]

  /// Returns the capitalized names and the called functions, each with its line. Omits members, which follow a point.
  func uses(of module: String) -> [(name: String, line: Int)] {
    tokens.indices.compactMap { index in
      let name = tokens[index].text
      guard let first = name.unicodeScalars.first, first.properties.isXIDStart else { return nil }
      let isType = first.properties.isUppercase
      guard isType || text(at: index + 1) == "(", !Self.types.contains(text(at: index - 1)),
        text(at: index - 1) != "func"
      else { return nil }
      if text(at: index - 1) == ".", text(at: index - 2) != module { return nil }
      return (name, tokens[index].line)
    }
  }

  private func text(at index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

  private mutating func readDeclarations() {
    // The type of each open brace; nil for braces of other code.
    var owners: [String?] = []
    var next: String?
    for index in tokens.indices {
      let (word, before, name) = (tokens[index].text, text(at: index - 1), text(at: index + 1))
      switch word {
      case "{":
        owners.append(next)
        next = nil
      case "}": _ = owners.popLast()
      case "extension" where before != ".":
        next = name
        members[name, default: []].formUnion([])
      case _ where Self.types.contains(word) && ![".", "import"].contains(before) && Self.isTypeName(name):
        declare(name, at: index, in: owners)
        readGenerics(at: index + 2)
        if word != "typealias" { next = name }
      case "func" where before != ".":
        declare(name, at: index, in: owners)
        readGenerics(at: index + 2)
      case "associatedtype": local.insert(name)
      default: break
      }
    }
  }

  private mutating func declare(_ name: String, at index: Int, in owners: [String?]) {
    let owner = owners.lazy.compactMap(\.self).first
    if let owner {
      members[owner, default: []].insert(name)
    } else if !owners.isEmpty || isPrivate(index) {
      local.insert(name)
    } else {
      declared.insert(name)
    }
    if owner == nil, Self.types.contains(tokens[index].text) { members[name, default: []].formUnion([]) }
  }

  /// Returns whether only this file can use the declaration with its keyword at `index`.
  private func isPrivate(_ index: Int) -> Bool {
    let modifiers: Set = ["private", "fileprivate", "final", "indirect", "nonisolated", "static"]
    var position = index - 1
    while modifiers.contains(text(at: position)) {
      if text(at: position).hasSuffix("private") { return true }
      position -= 1
    }
    return false
  }

  /// Reads the generic parameters of a list that starts at `index`: the names after `<` and after each comma.
  private mutating func readGenerics(at index: Int) {
    guard text(at: index) == "<" else { return }
    var (depth, position) = (0, index)
    repeat {
      switch text(at: position) {
      case "<": depth += 1
      case ">": depth -= 1
      case let name where depth == 1 && ["<", ","].contains(text(at: position - 1)): local.insert(name)
      default: break
      }
      position += 1
    } while depth > 0 && position < tokens.count
  }

  private static func isTypeName(_ name: String) -> Bool {
    name.unicodeScalars.first?.properties.isUppercase ?? false
  }
}
