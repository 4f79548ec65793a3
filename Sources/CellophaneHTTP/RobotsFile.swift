/// The rules of a `robots.txt` for one robot (RFC 9309).
package struct RobotsFile: Equatable, Sendable {
  private struct Rule: Equatable {
    let pattern: PathPattern
    let isAllowed: Bool
  }

  /// The number of octets that are parsed (RFC 9309, section 2.5).
  package static let longest = 500 << 10

  private var rules: [Rule] = []

  /// The approximate size in memory, in bytes.
  package var cost: Int { rules.reduce(64) { $0 + 80 + $1.pattern.length } }

  /// Reads the groups for `robot`, or those for all robots if no group names it.
  ///
  /// - Parameters:
  ///   - bytes: The file. It need not be valid.
  ///   - robot: The product token of the robot, without a slash. Letter case does not matter.
  package init(_ bytes: [UInt8], for robot: String) {
    var (own, common): ([Rule], [Rule]) = ([], [])
    var (isOwn, isCommon, hasOwn, isInRules) = (false, false, false, false)
    var text = bytes.prefix(Self.longest)
    // The last line of a part may be incomplete.
    if bytes.count > text.count {
      text = text.prefix(through: text.lastIndex { $0 == 0x0A || $0 == 0x0D } ?? text.startIndex)
    }
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let (name, value) = Self.field(of: line) else { continue }
      switch name {
      case "user-agent":
        // A group can have several of these lines, and begins with the first one after a rule.
        if isInRules { (isOwn, isCommon, isInRules) = (false, false, false) }
        let token = String(decoding: value.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }, as: UTF8.self)
        if token == "*" { isCommon = true }
        if !token.isEmpty, token.lowercased() == robot.lowercased() { (isOwn, hasOwn) = (true, true) }
      case "allow", "disallow":
        isInRules = true
        if value.isEmpty { continue }
        let rule = Rule(pattern: PathPattern(value), isAllowed: name == "allow")
        if isOwn { own.append(rule) }
        if isCommon { common.append(rule) }
      default: break
      }
    }
    rules = hasOwn ? own : common
  }

  /// Returns true if the robot may request the path, in the form of ``PathPattern/path(of:)``. The longest matching rule
  /// decides, and `allow` among equally long ones.
  package func allows(_ path: [UInt8]) -> Bool {
    var (length, isAllowed) = (-1, true)
    for rule in rules where rule.pattern.length >= length {
      if rule.pattern.length == length, isAllowed || !rule.isAllowed { continue }
      if rule.pattern.matches(path) { (length, isAllowed) = (rule.pattern.length, rule.isAllowed) }
    }
    return isAllowed
  }

  /// Returns the name in lower case and the value of a line, without its comment; nil for another line.
  private static func field(of line: ArraySlice<UInt8>) -> (name: String, value: ArraySlice<UInt8>)? {
    let content = line.prefix { $0 != UInt8(ascii: "#") }
    guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = String(decoding: content[..<colon].trimmed, as: UTF8.self).lowercased()
    return (name, content[(colon + 1)...].trimmed)
  }
}
