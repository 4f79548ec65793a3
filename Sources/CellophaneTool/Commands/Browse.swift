internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneBrowser

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `cellophane browse [LIST|-]`
struct Browse: AsyncParsableCommand, CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Scroll through images in the terminal.",
    discussion: """
      Browse shows the images of a list with one URL per line, the searchable items of --origin, or 500 images of an \
      embedded origin.

      Keys: the arrows, j, k, Page Up, Page Down, Space and the wheel push the list, which then glides; a push in the \
      other direction stops it. Home, End, g and G jump. / searches, Enter keeps the result, Esc clears it. r retries \
      failures, Ctrl-R reloads the list, q quits.

      The last line shows the requests that caches answered, the visible rows without an image (also after a \
      failure), all started image transfers, how many of them are active or cancelled, and the loaded items.

      Examples:
        cellophane browse
        cellophane browse list.txt
        cellophane browse --origin http://127.0.0.1:8080 --delay 800 --fail 30%
      """)

  @Argument(
    help: ArgumentHelp("Read this file with one URL per line; '-' reads standard input.", valueName: "list"),
    completion: .file())
  var list: String?

  @OptionGroup(title: "Browsing") var display: DisplayOptions
  @OptionGroup(title: "Cache") var storage: StorageOptions
  @OptionGroup(title: "Network") var connection: ConnectionOptions

  var transfer: TransferOptions { TransferOptions(storage: storage, connection: connection) }

  /// The source and the display of the images.
  struct DisplayOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Browse the /items of this origin, such as http://127.0.0.1:8080 of 'cellophane origin'.",
        valueName: "url"))
    var origin: String?

    @Option(help: ArgumentHelp("Ask the origin to delay responses to /items. (default: 0)", valueName: "ms"))
    var delay: Int?

    @Option(
      help: ArgumentHelp(
        "Ask the origin to fail this share of the requests for /items, such as 0.3 or 30%. (default: 0)",
        valueName: "share"))
    var fail: Share?

    @Option(help: ArgumentHelp("Draw images with this protocol, or with half blocks.", valueName: "protocol"))
    var pixels = PixelChoice.auto

    @Flag(name: .customLong("no-color"), help: "Use no colors, as with NO_COLOR.")
    var isColorless = false

    @Flag(
      help: """
        Read the row number from the pixels of generated images, and count images in wrong rows. The exit code is 3 if \
        there is one.
        """)
    var check = false

    func validate() throws {
      if let delay, !(0...60_000).contains(delay) {
        throw ValidationError("--delay must be from 0 to 60000 ms")
      }
    }
  }

  /// The values of `--pixels`.
  enum PixelChoice: String, Choice {
    case auto, kitty, sixel, blocks
  }

  func checkArguments() throws {
    if let list, ListInput.isURL(list) {
      throw ValidationError(
        "'\(CanonicalURL.withoutUser(list))' is a URL, but browse takes a file with URLs of images; use --origin URL "
          + "for an origin with /items, or 'echo URL | cellophane browse -' for one image")
    }
    if list != nil, display.origin != nil {
      throw ValidationError("a list and --origin are mutually exclusive; leave one out")
    }
    if list != nil, display.delay != nil || display.fail != nil {
      throw ValidationError("--delay and --fail affect only an origin; leave them out for a list")
    }
  }

  func run() async throws {
    // Before the terminal is opened, so that errors of the input are reported first.
    let input = try BrowseInput(self)
    let terminal = try Terminal()
    let capabilities = TerminalCapabilities(
      wanted: PixelForm(rawValue: display.pixels.rawValue), isColorless: forbidsColor)
    let interruption = Interruption { terminal.abandon() }
    let (images, frames): (ImageTally, FrameTally)
    do {
      (images, frames) = try await interruption.runCancellable { [self] in
        let source = try await BrowseSource(input, self)
        defer { source.stop() }
        let session = BrowseSession(terminal, capabilities) { interruption.hasHappened }
        let outcome = await session.show(source.parts(capabilities, showsWrong: display.check))
        // From here on nothing is drawn.
        await source.settle()
        return outcome
      }
    } catch let error as LoadError {
      throw Failure(error, kept: kept)
    }
    if display.check {
      try Output.line("\(Text.count(images.read)) images checked, \(images.wrong) in a wrong row")
      Output.note(frames.summary)
    }
    if images.wrong > 0, display.check {
      throw Failure.invariantBroken(["\(images.wrong) images were shown in a wrong row"])
    }
    if interruption.hasHappened { throw Failure(.cancelled, kept: kept) }
  }

  /// The part of an error message that says whether loaded images remain in the cache.
  private var kept: String {
    let keepsNothing = storage.noCache || (list == nil && display.origin == nil)
    return keepsNothing ? "nothing is kept" : "loaded images are kept"
  }

  private var forbidsColor: Bool {
    display.isColorless || LiveOptions.forbidsColor(ProcessInfo.processInfo.environment)
  }
}

extension FrameTally {
  /// The statistics in one line.
  var summary: String {
    guard count > 0 else { return "no frames" }
    return
      "\(Text.count(count)) frames: average \(Text.duration(time / count)) and \(Text.bytes(bytes / count)), "
      + "longest \(Text.duration(longest))"
  }
}
