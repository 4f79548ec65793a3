import Cellophane
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Traces that no run can have.
struct RunTraceErrorTests {
  private static let header =
    #"{"schema": "cellophane.run/1", "loader": "toy", "scenario": {"duration_ms": 500, "list": {"rows": 30}}}"#
  private static let bind = #"{"t_ms": 0, "event": "bind", "slot": 0, "row": 0}"#
  private static let start = #"{"t_ms": 0, "event": "start", "transfer": 1, "row": 0}"#

  private static func read(_ lines: [String]) throws(LoadError) -> RunTrace {
    try RunTraceReader.read(Array(lines.joined(separator: "\n").utf8), name: "toy.jsonl")
  }

  @Test(
    arguments: [
      ([#"{"t_ms": 5, "event": "bind", "slot": 0, "row": 1}"#, bind], "line 3: 0.0 ms is before"),
      (
        [#"{"t_ms": 1501, "event": "bind", "slot": 0, "row": 1}"#],
        "line 2: 1501.0 ms is after the end of the run"
      ),
      ([#"{"t_ms": -1, "event": "bind", "slot": 0, "row": 1}"#], "line 2: bind needs t_ms"),
      ([#"{"t_ms": 1e300, "event": "bind", "slot": 0, "row": 1}"#], "line 2: bind needs t_ms"),
      ([#"{"event": "bind", "slot": 0, "row": 1}"#], "line 2: bind needs t_ms"),
      ([#"{"t_ms": 0, "event": "bind", "slot": 10000, "row": 1}"#], "line 2: bind needs slot"),
      (
        [#"{"t_ms": 0, "event": "bind", "slot": 0, "row": 30}"#],
        "line 2: unknown row 30; the list has 30 rows"
      ),
      ([#"{"t_ms": 0, "event": "bind", "slot": 0, "row": -1}"#], "line 2: bind needs row"),
      ([#"{"t_ms": 0, "event": "bind", "slot": 0, "row": 1.5}"#], "line 2: the line is not a JSON object"),
      ([#"{"t_ms": 0, "event": "show", "slot": 0, "row": 0}"#], "line 2: show of slot 0, which no bind"),
      ([bind, #"{"t_ms": 0, "event": "show", "slot": 0}"#], "line 3: show needs row"),
      (
        [bind, #"{"t_ms": 0, "event": "show", "slot": 0, "row": 0, "source": "ram"}"#],
        "line 3: unknown source 'ram'"
      ),
      (
        [#"{"t_ms": 0, "event": "finish", "transfer": 1, "bytes": 5}"#],
        "line 2: finish of transfer 1, which does not run"
      ),
      ([start, start], "line 3: transfer 1 starts twice"),
      (
        [
          start, #"{"t_ms": 1, "event": "progress", "transfer": 1, "bytes": 9}"#,
          #"{"t_ms": 1, "event": "finish", "transfer": 1, "bytes": 5}"#,
        ], "line 4: transfer 1 has fewer bytes than before, 5 after 9"
      ),
      (
        [start, #"{"t_ms": 1, "event": "finish", "transfer": 1, "bytes": 2e12}"#],
        "line 3: finish needs bytes"
      ),
      ([start, #"{"t_ms": 1, "event": "finish", "transfer": 1}"#], "line 3: finish needs bytes"),
      ([start, #"{"t_ms": 1, "event": "close", "transfer": 1, "bytes": 5}"#], "line 3: close of transfer 1"),
      ([#"{"t_ms": 0, "event": "decoded", "decoding": 1}"#], "line 2: decoding 1 does not run"),
      (
        [#"{"t_ms": 0, "event": "draw", "vsync": 3}"#, #"{"t_ms": 0, "event": "draw", "vsync": 3}"#],
        "line 3: the frame of vsync 3"
      ),
      ([#"{"t_ms": 9, "event": "end"}"#, #"{"t_ms": 9, "event": "end"}"#], "line 3: an event after the end"),
      ([#"{"t_ms": 0, "event": "jump"}"#], "line 2: unknown event 'jump'"),
      (["[]"], "line 2: the line is not a JSON object"), (["", bind], "line 2: the line is not"),
      (["{" + String(repeating: " ", count: 5_000) + "}"], "line 2: the line has more than 4096 bytes"),
    ])
  func `an invalid line is named`(lines: [String], message: String) {
    let error = #expect(throws: LoadError.self) { try Self.read([Self.header] + lines) }
    #expect(error?.kind == .corrupt)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(
    arguments: [
      ("", "a run trace begins with"), ("{}", "a run trace begins with"),
      (#"{"schema": "cellophane.simulate/1"}"#, "a run trace begins with"),
      (#"{"schema": "cellophane.run/1"}"#, "needs a loader and a scenario"),
      (#"{"schema": "cellophane.run/1", "loader": "naive", "scenario": {}}"#, "choose another name"),
      (#"{"schema": "cellophane.run/1", "loader": "<b>", "scenario": {}}"#, "letters, digits and hyphens"),
      (#"{"schema": "cellophane.run/1", "loader": "toy", "scenario": {"list": {"rows": 0}}}"#, "list.rows"),
      (#"{"schema": "cellophane.run/1", "loader": "toy", "scenario": {"lists": 1}}"#, "lists: unknown field"),
    ])
  func `an invalid header is named`(header: String, message: String) {
    let error = #expect(throws: LoadError.self) { try Self.read([header, Self.bind]) }
    #expect(error?.kind == .corrupt && error?.message.hasPrefix("toy.jsonl, line 1: ") == true)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `a visible row without a slot is an error, not a row without blank area`() async throws {
    let trace = try Self.read([Self.header, Self.bind])
    let error = await #expect(throws: LoadError.self) {
      try await Simulation.score([trace], names: ["toy.jsonl"], playsBaselines: false, records: false)
    }
    #expect(
      error?.message.hasPrefix("toy.jsonl, line 2: row 1 is visible at vsync 0, and no slot is bound") == true
    )
  }

  @Test func `a trace by hand has the metrics of its events`() async throws {
    var lines = [
      #"{"schema": "cellophane.run/1", "loader": "toy", "scenario": {"duration_ms": 1000, "#
        + #""gesture": {"profile": "constant:1"}, "list": {"rows": 4}}}"#
    ]
    for row in 0..<4 { lines.append(#"{"t_ms": 0, "event": "bind", "slot": \#(row), "row": \#(row)}"#) }
    for row in 0..<4 { lines.append(#"{"t_ms": 0, "event": "start", "transfer": \#(row), "row": \#(row)}"#) }
    // Three of four rows have their image after half a second; one shows another row's.
    for row in 0..<4 {
      lines.append(#"{"t_ms": 490, "event": "finish", "transfer": \#(row), "bytes": 100}"#)
    }
    for row in 0..<4 {
      lines.append(#"{"t_ms": 500, "event": "show", "slot": \#(row), "row": \#(max(row, 1))}"#)
    }
    let scored = try await Simulation.score(
      [try Self.read(lines)], names: ["toy.jsonl"], playsBaselines: false, records: true)
    let run = scored.metrics.run
    #expect(scored.loader == "toy")
    #expect(abs((run[.blankRatio] ?? 0) - (0.5 + 0.5 * 0.25)) < 1e-9)
    #expect(run[.bytesDown] == 400)
    #expect(run[.misplacedEvents] == 1)
    #expect(run[.slotRequests] == 4)
    #expect(scored.recording?.appearances.count == 4)
    #expect(scored.brokenInvariants == ["1 wrong images shown"])
  }
}
