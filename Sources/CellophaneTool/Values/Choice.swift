internal import ArgumentParser

/// An option value that is one of several words.
///
/// The type lists its words itself. By default the parser derives them from key paths and a description of each case,
/// which takes a large share of the parsing time at each start.
protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension Choice {
  /// Creates the value of a word; nil for any other text.
  public init?(argument: String) { self.init(rawValue: argument) }

  /// The words.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// No descriptions: the help of the option explains the words.
  public static var allValueDescriptions: [String: String] { [:] }

  /// The word.
  public var defaultValueDescription: String { rawValue }
}
