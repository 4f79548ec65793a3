internal import ArgumentParser
internal import Cellophane
internal import CellophaneScreens
internal import CellophaneSimulation

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `cellophane browse [LIST|-]`
struct Browse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Scroll through a list of pictures in the terminal.",
    discussion: """
      The list has one URL a line; '-' reads standard input. Without a list there are the items of --origin, to be \
      searched, or those of an origin made for the occasion. Arrows, j, k, Page Up and Down, the space bar and the \
      wheel push the list, which glides on; the other direction stops it. Home and End, g and G jump. '/' opens the \
      search, Enter leaves it with what was found, Esc with everything; r retries what failed, Ctrl-R loads anew, q quits.

      The last line tells what the loader does: requests that caches answered, transfers that run of those begun, \
      transfers cancelled, and visible rows without a picture.
      """)

  @Argument(help: "A file with one URL a line; '-' is standard input.")
  var list: String?

  @Option(
    help: "The origin whose /items are browsed, as 'cellophane origin' serves them: http://127.0.0.1:8080.")
  var origin: String?

  @Option(help: "How many ms the origin is asked to wait before it answers about items.")
  var delay: Int?

  @Option(help: "The share of questions about items that the origin is asked to fail, such as 0.3.")
  var fail: Double?

  @Option(help: "How pictures are drawn: auto, kitty, sixel or blocks.")
  var pixels = PixelChoice.auto

  @Flag(name: .customLong("no-color"), help: "Use no colours, as NO_COLOR does.")
  var isColourless = false

  @Flag(
    help:
      "Read from the pixels of generated pictures which rows they are of; tell at the end how many stood at a wrong one. The exit code is 3 when one did."
  )
  var check = false

  @OptionGroup var transfer: TransferOptions

  /// What `--pixels` may be.
  enum PixelChoice: String, Choice {
    case auto, kitty, sixel, blocks
  }

  func validate() throws {
    if list != nil, origin != nil { throw ValidationError("a list and --origin exclude each other") }
    if list != nil, delay != nil || fail != nil {
      throw ValidationError("--delay and --fail are for the items of an origin, not for a list")
    }
    if let delay, !(0...60_000).contains(delay) { throw ValidationError("--delay is in 0...60000 ms") }
    if let fail, !(0...1).contains(fail) { throw ValidationError("--fail is a share in 0...1") }
  }

  func run() async throws {
    // Before the terminal: who has neither is told what is wrong with what they said.
    let input = try BrowseInput(self)
    let terminal = try Terminal()
    let abilities = Abilities(wanted: PixelForm(rawValue: pixels.rawValue), isColourless: forbidsColour)
    let interruption = Interruption { terminal.abandon() }
    let (pictures, frames): (PictureTally, FrameTally)
    do {
      (pictures, frames) = try await interruption.cancels { [self] in
        let source = try await BrowseSource(input, self)
        defer { source.stop() }
        let session = BrowseSession(terminal, abilities, interruption)
        let outcome = await session.show(source.parts(abilities, showsWrong: check))
        // Whatever comes now, nothing is drawn any more.
        await source.settle()
        return outcome
      }
    } catch let error as LoadError {
      throw Failure(error, kept: kept)
    }
    if check {
      try Output.line("\(Text.count(pictures.read)) pictures read, \(pictures.wrong) at a wrong row")
      Output.note(frames.summary)
    }
    if pictures.wrong > 0, check { throw Failure.broken(["\(pictures.wrong) pictures stood at a wrong row"]) }
    if interruption.hasHappened { throw Failure(.cancelled, kept: kept) }
  }

  /// What is there of what was interrupted.
  private var kept: String {
    let keepsNothing = transfer.noCache || (list == nil && origin == nil)
    return keepsNothing ? "nothing was to be kept" : "what was finished is kept"
  }

  private var forbidsColour: Bool {
    isColourless || LiveOptions.forbidsColour(ProcessInfo.processInfo.environment)
  }
}

extension FrameTally {
  /// In words.
  var summary: String {
    guard count > 0 else { return "no frames" }
    return
      "\(Text.count(count)) frames, \(Text.duration(time / count)) each, \(Text.duration(longest)) the longest, "
      + "\(Text.bytes(bytes / count)) each"
  }
}
