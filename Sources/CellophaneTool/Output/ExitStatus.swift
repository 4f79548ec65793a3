/// The exit codes of the tool. They are part of its contract with scripts.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case someFailed = 2
  case invariantBroken = 3
  case assertionFailed = 4
  case shownWorse = 5
  case usage = 64
  case interrupted = 130
  /// 128 and the number of SIGTERM, as shells report it.
  case terminated = 143
}
