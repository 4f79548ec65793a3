internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting

/// `cellophane origin`
struct OriginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "origin",
    abstract: "Serve generated pictures whose pixels carry their row number, until Ctrl-C.",
    discussion: """
      /list.txt is the list of all pictures, ready for prefetch: \
      curl -s http://127.0.0.1:8080/list.txt | cellophane prefetch -

      /items tells what they are called, as JSON: /items?q=amber&page=2&per_page=20 is the second page of a \
      search. With delay=800 an answer waits so many ms, with fail=0.3 so large a share of requests gets 503.
      """)

  @Option(help: "The port; 0 takes any that is free.")
  var port = 8080

  @Option(help: "How many pictures.")
  var rows = 500

  @Option(help: "The pictures' size, WIDTHxHEIGHT.")
  var source = PixelSize(width: 320, height: 320)

  @Option(help: "The line: a preset such as wpt-lte, or down=KBPS,up=KBPS,rtt=MS.")
  var network = "unlimited"

  @Option(help: "What the pictures depend on.")
  var seed: UInt64 = 1

  func run() async throws {
    try await Interruption().cancels { [self] in
      let origin = try await RowOrigin(
        rows: rows, size: source, seed: seed, port: port, network: try NetworkProfile(parsing: network)
      ) {
        // Unoptimised, 500 take twenty seconds, and nobody is answered before.
        Output.note("making \(rows) pictures of \(source.width)x\(source.height) ...")
      }
      defer { origin.stop() }
      try Output.line(
        "\(origin.base)  \(rows) pictures, about \(Text.bytes(origin.meanBytes)) each, over \(network)")
      Output.note("list: \(origin.base)/list.txt   stop: Ctrl-C")
      // Ends only by Ctrl-C.
      try? await Timeline().sleep(for: .seconds(Int32.max))
      let counters = origin.counters
      Output.note(
        "\(counters.requests) requests on \(counters.connections) connections, \(counters.completed) completed, "
          + "\(counters.aborted) aborted, \(Text.bytes(counters.bodyBytes))")
    }
  }
}
