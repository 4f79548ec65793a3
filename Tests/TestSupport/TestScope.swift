internal import FoundationEssentials
package import Testing

/// The extent of a test run. The environment variable `CELLOPHANE_TESTS` selects it.
package enum TestScope: String {
  /// `make check`: without the suites that compute for seconds in a debug build.
  case quick
  /// `make test`: every suite, with seeds and rounds that take some seconds. The default.
  case full
  /// `make test-all`: long forms with many seeds, kills and records.
  case soak

  package static let current =
    ProcessInfo.processInfo.environment["CELLOPHANE_TESTS"].flatMap(Self.init) ?? .full

  /// Returns the number of seeds or rounds of a test: `soak` in the long form, else `full`.
  package static func rounds(_ full: Int, soak: Int) -> Int { current == .soak ? soak : full }
}

extension Trait where Self == ConditionTrait {
  /// Excludes the suite or test from `make check`, because it computes for seconds in a debug build.
  package static var thorough: Self {
    .enabled(if: TestScope.current != .quick, "runs with `make test`, not with `make check`")
  }
}
