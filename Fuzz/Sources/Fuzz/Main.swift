import CFuzzing

/// The program `cellophane-fuzz --target=NAME`, followed by libFuzzer's arguments.
///
/// The target is an option and not an argument, so that libFuzzer passes it to its child processes.
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
