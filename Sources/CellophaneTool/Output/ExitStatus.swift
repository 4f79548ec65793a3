/// The exit codes that scripts rely on.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case someFailed = 2
  case invariantBroken = 3
  case assertionFailed = 4
  case usage = 64
  case interrupted = 130
}
