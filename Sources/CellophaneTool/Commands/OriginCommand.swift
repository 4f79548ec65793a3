internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTestOrigin
internal import CellophaneNetwork

/// `cellophane origin`
struct OriginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "origin",
    abstract: "Serve generated images over a simulated network, until Ctrl-C.",
    discussion: """
      The pixels of each image contain its row number. /list.txt is the list of all images, for prefetch. /items \
      searches the images and returns a page as JSON: /items?q=amber&page=2&per_page=20. With delay=800 it answers \
      after 800 ms, and with fail=0.3 it answers 30 % of the requests with 503.

      Examples:
        cellophane origin --port 8080 --network wpt-lte
        curl -s http://127.0.0.1:8080/list.txt | cellophane prefetch -
      """)

  @Option(help: ArgumentHelp("Listen on this port; 0 uses any free port.", valueName: "port"))
  var port = 8080

  @Option(help: ArgumentHelp("Generate this many images, 1 to 10000.", valueName: "n"))
  var rows = 500

  @Option(help: ArgumentHelp("Generate images of this size, from 16x16 to 2048x2048.", valueName: "WxH"))
  var source = PixelSize(width: 320, height: 320)

  @Option(
    help: ArgumentHelp(
      """
      Simulate a preset, or down=KBIT_S,up=KBIT_S,rtt=MS (rates in kbit/s), such as down=5000,rtt=80. An omitted part \
      means no rate limit or no round trip.
      """,
      discussion: NetworkProfile.presetTexts(isModeled: false), valueName: "network"),
    completion: .list(NetworkProfile.presets.filter { $0.variation == nil }.map(\.name)))
  var network = "unlimited"

  @Option(help: ArgumentHelp("Set the random seed of the images.", valueName: "n"))
  var seed: UInt64 = 1

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port must be from 0 to 65535, not \(port)")
    }
    let counts = RowOrigin.rowCounts
    guard counts.contains(rows) else {
      throw ValidationError("--rows must be from \(counts.lowerBound) to \(counts.upperBound), not \(rows)")
    }
    let sides = SimulationConfiguration.List.imageSides
    guard sides.contains(source.width), sides.contains(source.height) else {
      let (least, most) = (sides.lowerBound, sides.upperBound)
      throw ValidationError(
        "--source must be from \(least)x\(least) to \(most)x\(most), not \(source.width)x\(source.height)")
    }
  }

  func run() async throws {
    try await Interruption().runCancellable { [self] in
      let network = try NetworkProfile(parsing: self.network, isModeled: false)
      let origin = try RowOrigin(rows: rows, size: source, seed: seed, port: port, network: network)
      defer { origin.stop() }
      try Output.line(
        "\(origin.base)  \(Text.count(rows, "image")) of about \(Text.bytes(origin.meanBytes)) "
          + (network == .unlimited ? "without a network limit" : "over \(network)"))
      Output.note("list: \(origin.base)/list.txt   search: \(origin.base)/items   stop: Ctrl-C")
      do throws(LoadError) {
        // Requests are answered before all images exist.
        try await origin.generate()
      } catch {
        // Ctrl-C ends the origin as it does later.
        if error.kind != .cancelled { throw error }
      }
      // Ends only by Ctrl-C.
      try? await Timeline().sleep(for: .seconds(Int32.max))
      let counters = origin.counters
      Output.note(
        "\(Text.count(counters.requests, "request")) on \(Text.count(counters.connections, "connection")): "
          + "\(counters.completed) completed, "
          + "\(counters.aborted) aborted, \(Text.bytes(counters.bodyBytes)) sent")
    }
  }
}
