internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults
@testable internal import CellophaneSimulation
internal import SimulationTestSupport

/// The format is Google's "Trace Event Format". Perfetto's source `json_trace_parser` shows how it is read.
@Suite struct PerfettoTraceTests {
  private struct Event {
    let phase, name: String
    let pid: Int
    let tid: Int?
    let time: Int?
    let duration: Int?
    let id, category: String?
    let args: [String: Any]

    init(_ object: [String: Any]) throws {
      phase = try #require(object["ph"] as? String)
      name = try #require(object["name"] as? String)
      pid = try #require(object["pid"] as? Int)
      tid = object["tid"] as? Int
      time = object["ts"] as? Int
      duration = object["dur"] as? Int
      // Asynchronous events have an id within their process. Perfetto assigns a global id to no process.
      let local = object["id2"] as? [String: String]
      id = "bne".contains(phase) ? local?["local"] : object["id"] as? String
      category = object["cat"] as? String
      args = object["args"] as? [String: Any] ?? [:]
    }

    /// The process and the thread.
    var thread: [Int] { [pid, tid ?? 0] }
  }

  private static func events(of recording: Recording) throws -> [Event] {
    let trace = PerfettoTrace(recording: recording, about: [("command", "a \"b\" \\ \n\u{1}")])
    let object = try JSONSerialization.jsonObject(with: Data(trace.json().utf8)) as? [String: Any]
    #expect(object?["displayTimeUnit"] as? String == "ms")
    #expect((object?["otherData"] as? [String: String])?["command"] == "a \"b\" \\ \n\u{1}")
    return try #require(object?["traceEvents"] as? [[String: Any]]).map(Event.init)
  }

  @Test func `events have the fields of their phase and are in the order of time`() throws {
    let recording = try ScriptedRun().recording()
    let events = try Self.events(of: recording)
    #expect(Set(events.map(\.phase)) == ["M", "b", "n", "e", "X", "C", "s", "f"])
    let timed = events.drop { $0.phase == "M" }
    #expect(timed.allSatisfy { $0.phase != "M" && ($0.time ?? -1) >= 0 })
    #expect(zip(timed, timed.dropFirst()).allSatisfy { ($0.time ?? 0) <= ($1.time ?? 0) })
    for event in timed {
      switch event.phase {
      case "X": #expect((event.duration ?? -1) >= 0 && event.tid != nil)
      case "C": #expect(event.args.count == 1 && event.args.values.allSatisfy { $0 is NSNumber })
      default: #expect(event.id?.hasPrefix("0x") == true && event.category != nil && event.tid != nil)
      }
    }
    #expect(
      Set(events.filter { $0.phase == "C" }.map(\.name)) == [
        "offset", "velocity", "blank_px", "inflight", "memory",
      ])
    #expect(events.count { $0.phase == "b" } == recording.appearances.count + recording.transfers.count)
  }

  @Test func `every process and thread has a name`() throws {
    let events = try Self.events(of: ScriptedRun().recording())
    let names = events.filter { $0.phase == "M" }
    let processes = Dictionary(
      uniqueKeysWithValues: names.filter { $0.name == "process_name" }.map {
        ($0.pid, $0.args["name"] as? String)
      })
    #expect(processes == [1: "list", 2: "network", 3: "cpu"])
    let threads = names.filter { $0.name == "thread_name" }.map(\.thread)
    #expect(threads.count == Set(threads).count)
    #expect(Set(events.filter { $0.tid != nil }.map(\.thread)) == Set(threads))
    // Perfetto shows a thread with the id of its process as the main thread, above all others.
    #expect(!threads.contains { processes.keys.contains($0[1]) })
    let sortIndices = names.filter { $0.name == "process_sort_index" }.map { $0.args["sort_index"] as? Int }
    #expect(sortIndices == [1, 2, 3])
  }

  @Test func `asynchronous events with the same id begin, continue and end in order`() throws {
    let asynchronous = try Self.events(of: ScriptedRun().recording()).filter {
      ["b", "n", "e"].contains($0.phase)
    }
    let groups = Dictionary(grouping: asynchronous) { [$0.category ?? "", $0.id ?? ""] }
    #expect(groups.count == asynchronous.count { $0.phase == "b" })
    for (id, events) in groups {
      let phases = events.map(\.phase).joined()
      #expect(
        phases.first == "b" && phases.last == "e" && phases.dropFirst().dropLast().allSatisfy { $0 == "n" },
        "\(id)")
      // Perfetto's track of an event depends on its name, process and id.
      #expect(Set(events.map(\.name)).count == 1 && Set(events.map(\.thread)).count == 1, "\(id)")
    }
  }

  /// Two slices of a thread are nested or disjoint. Perfetto drops slices that overlap partly.
  @Test(arguments: [false, true])
  func `slices of a thread do not overlap partly`(sharesConnection: Bool) throws {
    var recording = try ScriptedRun().recording()
    if sharesConnection { recording = recording.onOneConnection }
    let slices = try Self.events(of: recording).filter { $0.phase == "X" }
    for (thread, slices) in Dictionary(grouping: slices, by: \.thread) {
      var open: [Int] = []
      for slice in slices {
        let start = slice.time ?? 0
        let end = start + (slice.duration ?? 0)
        while let last = open.last, last <= start { open.removeLast() }
        #expect(open.last.map { end <= $0 } ?? true, "thread \(thread): \(slice)")
        open.append(end)
      }
    }
    if sharesConnection {
      let threads = Set(slices.filter { $0.pid == 2 }.map(\.tid))
      #expect(threads.count == 4, "four concurrent transfers over one connection")
    }
  }

  @Test func `an arrow leads from a waiting slot to its transfer`() throws {
    let events = try Self.events(of: ScriptedRun().recording())
    let slicesByThread = Dictionary(grouping: events.filter { $0.phase == "X" }, by: \.thread)
    func slices(around event: Event) -> [Event] {
      (slicesByThread[event.thread] ?? []).filter { slice in
        let start = slice.time ?? 0
        return start <= event.time ?? -1 && event.time ?? -1 <= start + (slice.duration ?? 0)
      }
    }
    let starts = events.filter { $0.phase == "s" }
    let ends = Dictionary(uniqueKeysWithValues: events.filter { $0.phase == "f" }.map { ($0.id ?? "", $0) })
    #expect(starts.count > 10 && starts.count == ends.count)
    for start in starts {
      let end = try #require(ends[start.id ?? ""])
      let (from, to) = (slices(around: start), slices(around: end))
      #expect(from.contains { $0.name == "blank" || $0.name == "preview" })
      // Both ends have the same row.
      let rows = from.map(\.name).filter { $0.hasPrefix("row ") }
      #expect(start.pid == 1 && end.pid == 2)
      #expect(to.contains { rows.contains(String($0.name.prefix { $0 != "," })) })
    }
  }

  @Test func `an empty recording gives a valid trace`() throws {
    let recorder = Recorder(try ScriptedRun().scene)
    let events = try Self.events(of: recorder.finish().recording)
    #expect(Set(events.map(\.name)) == ["process_name", "process_sort_index"] && events.count == 6)
  }

  @Test func `the slice of a transfer shows how it ended`() throws {
    let recording = try ScriptedRun().recording()
    let slices = try Self.events(of: recording).filter { $0.category == "connection" && $0.name != "body" }
    #expect(slices.count == recording.transfers.count)
    #expect(
      slices.allSatisfy { ($0.args["outcome"] as? String == "cancelled") == $0.name.hasSuffix(", cancelled") }
    )
    #expect(slices.contains { $0.name.hasSuffix(", cancelled") })
    #expect(slices.allSatisfy { $0.args["bytes"] is Int })
  }

  /// The blank area cannot exceed the image area of the screen.
  @Test func `the blank counter is an area of at most one screen`() throws {
    let recording = try ScriptedRun().recording()
    let blank = try Self.events(of: recording).filter { $0.name == "blank_px" }.dropLast()
    let screen = try ScriptedRun().layout
    let most = Double((screen.slots - 1) * screen.picture.width * screen.picture.height)
    let values = blank.compactMap { ($0.args["px"] as? NSNumber)?.doubleValue }
    #expect(values.count == recording.series.samples.count - 1)
    #expect(values.allSatisfy { (0...most).contains($0) } && values.contains { $0 > 0 })
  }
}

extension Recording {
  /// The recording with every transfer on connection 0, as over HTTP/2.
  fileprivate var onOneConnection: Recording {
    Recording(
      appearances: appearances,
      transfers: transfers.map {
        Transfer(
          row: $0.row, bounds: $0.bounds, connection: 0, start: $0.start, sent: $0.sent,
          firstByte: $0.firstByte, end: $0.end,
          bytes: $0.bytes, outcome: $0.outcome, isRepeated: $0.isRepeated)
      }, decodings: decodings, series: series, caches: caches, viewport: viewport, end: end,
      duration: duration)
  }
}
