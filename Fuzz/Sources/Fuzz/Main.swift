import CFuzzing

/// `cellophane-fuzz --target=NAME`, then libFuzzer's arguments. The target's name is an option, not a word, so
/// that libFuzzer hands it on to the processes that it starts itself.
@main
struct Main {
  static func main() {
    fuzzing_take_signals()
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
      Target.chosen.check(Array(UnsafeBufferPointer(start: data, count: size))) ? 0 : -1
    }
    precondition(status == 0)
  }
}
