internal import ArgumentParser

/// An option's value that is one of some words. It says them itself: what the parser finds out of such a type otherwise,
/// by key paths and a description of each case, costs each start a good part of what parsing takes.
protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension Choice {
  /// The value of a word; nil for any other.
  public init?(argument: String) { self.init(rawValue: argument) }

  /// The words.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// None: the words say what they mean, or the option's help does.
  public static var allValueDescriptions: [String: String] { [:] }

  /// The word.
  public var defaultValueDescription: String { rawValue }
}
