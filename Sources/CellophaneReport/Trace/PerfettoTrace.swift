/// A recording as a trace for Perfetto and `chrome://tracing`: the JSON object format of Chrome's trace
/// events.
///
/// Times are µs of the run. Process 1 is the list with a thread per slot, process 2 the network with threads
/// for its connections, and process 3 decoding with a thread per decoder. Appearances and transfers overlap,
/// so they are asynchronous events with ids. The threads have slices that do not overlap; a slice on a
/// connection starts when the request is sent. An arrow leads from a waiting slot to the request that it
/// caused.
struct PerfettoTrace: Sendable {
  let recording: Recording
  /// The origin of the trace by name, for example the command and the fingerprint.
  let about: [(name: String, value: String)]
  private let streams: [Int: Stream]

  /// Creates a trace of `recording` with the metadata `about`.
  init(recording: Recording, about: [(name: String, value: String)]) {
    self.recording = recording
    self.about = about
    streams = Self.streams(of: recording.transfers)
  }

  private enum Process: Int, CaseIterable {
    case list = 1, network, decoding

    var name: String {
      switch self {
      case .list: "list"
      case .network: "network"
      case .decoding: "cpu"
      }
    }

    /// Returns the id of thread `number`. It never equals the id of a process, because Perfetto would show
    /// that thread as the main thread of the process, above all others.
    func thread(_ number: Int) -> Int { 100_000 * rawValue + number }
  }

  /// Returns the trace as JSON text with one event per line, in the order of time.
  func json() -> String {
    let events = (spans + counters).enumerated().sorted {
      ($0.element.time, $0.element.rank, $0.offset) < ($1.element.time, $1.element.rank, $1.offset)
    }
    var text = "{\"displayTimeUnit\":\"ms\",\"otherData\":{"
    text += about.map { TraceEvent.quoted($0.name) + ":" + TraceEvent.quoted($0.value) }.joined(
      separator: ",")
    text += "},\"traceEvents\":[\n"
    text += (names + events.map(\.element)).map(\.json).joined(separator: ",\n")
    return text + "\n]}\n"
  }

  // MARK: Names

  private var names: [TraceEvent] {
    var names = Process.allCases.flatMap { process in
      [
        TraceEvent("M", "process_name", process.rawValue, args: [("name", .text(process.name))]),
        TraceEvent(
          "M", "process_sort_index", process.rawValue, args: [("sort_index", .number(process.rawValue))]),
      ]
    }
    func thread(_ process: Process, _ number: Int, _ name: String) {
      let thread = process.thread(number)
      names.append(TraceEvent("M", "thread_name", process.rawValue, thread, args: [("name", .text(name))]))
      names.append(
        TraceEvent(
          "M", "thread_sort_index", process.rawValue, thread, args: [("sort_index", .number(number))]))
    }
    for slot in Set(recording.appearances.map(\.slot)).sorted() { thread(.list, slot, "slot \(slot)") }
    for stream in Set(streams.values).sorted(by: { $0.number < $1.number }) {
      thread(.network, stream.number, stream.name)
    }
    if streams.count < recording.transfers.count { thread(.network, Self.noConnection, "no connection") }
    for core in Set(recording.decodings.map(\.core)).sorted() { thread(.decoding, core, "decoder \(core)") }
    return names
  }

  // MARK: Spans

  private var spans: [TraceEvent] {
    var events: [TraceEvent] = []
    for (id, appearance) in recording.appearances.enumerated() { add(appearance, id, to: &events) }
    for (id, transfer) in recording.transfers.enumerated() {
      add(transfer, id, on: streams[id], to: &events)
    }
    for decoding in recording.decodings {
      events.append(
        TraceEvent(
          "X", "row \(decoding.row)", Process.decoding.rawValue, Process.decoding.thread(decoding.core),
          "decoding",
          at: decoding.start, lasting: decoding.end - decoding.start))
    }
    return events + flows
  }

  private func add(_ appearance: Recording.Appearance, _ id: Int, to events: inout [TraceEvent]) {
    let process = Process.list.rawValue
    let thread = Process.list.thread(appearance.slot)
    func moment(_ phase: Character, _ time: Int64, _ args: [(String, TraceEvent.Value)]) {
      events.append(
        TraceEvent(phase, "on the screen", process, thread, "appearance", at: time, id: id, args: args))
    }
    moment("b", appearance.start, [("row", .number(appearance.row)), ("slot", .number(appearance.slot))])
    if let preview = appearance.preview { moment("n", preview, [("state", .text("preview"))]) }
    if let shown = appearance.shown { moment("n", shown, [("state", .text("shown"))]) }
    moment("e", appearance.end, [])
    func slice(_ name: String, _ start: Int64, _ end: Int64) {
      events.append(TraceEvent("X", name, process, thread, "slot", at: start, lasting: end - start))
    }
    slice("row \(appearance.row)", appearance.start, appearance.end)
    for span in appearance.states where span.state != .shown {
      slice(span.state.rawValue, span.start, span.end)
    }
  }

  private func add(
    _ transfer: Recording.Transfer, _ id: Int, on stream: Stream?, to events: inout [TraceEvent]
  ) {
    let process = Process.network.rawValue
    let thread = Process.network.thread(stream?.number ?? Self.noConnection)
    func moment(_ phase: Character, _ time: Int64, _ args: [(String, TraceEvent.Value)]) {
      events.append(TraceEvent(phase, "transfer", process, thread, "transfer", at: time, id: id, args: args))
    }
    let end: [(String, TraceEvent.Value)] = [
      ("bytes", .number(transfer.bytes)), ("outcome", .text(transfer.outcome.rawValue)),
    ]
    moment("b", transfer.start, [("row", .number(transfer.row))])
    if let sent = transfer.sent { moment("n", sent, [("state", .text("sent"))]) }
    if let first = transfer.firstByte {
      moment("n", min(first, transfer.end), [("state", .text("first byte"))])
    }
    moment("e", transfer.end, end)
    guard stream != nil else { return }
    func slice(_ name: String, _ start: Int64, _ args: [(String, TraceEvent.Value)] = []) {
      events.append(
        TraceEvent(
          "X", name, process, thread, "connection", at: start, lasting: transfer.end - start, args: args))
    }
    let outcome = [.cancelled, .failed].contains(transfer.outcome) ? ", \(transfer.outcome.words)" : ""
    slice("row \(transfer.row)\(outcome)", transfer.onConnection, end)
    if let first = transfer.firstByte { slice("body", min(first, transfer.end)) }
  }

  /// Arrows from waiting slots to the transfers that they started.
  private var flows: [TraceEvent] {
    var waiting: [Int: [Recording.Appearance]] = [:]
    for appearance in recording.appearances { waiting[appearance.row, default: []].append(appearance) }
    return recording.transfers.enumerated().flatMap { id, transfer -> [TraceEvent] in
      guard let stream = streams[id] else { return [] }
      let cause = waiting[transfer.row]?.first {
        $0.start <= transfer.start && transfer.start < min($0.shown ?? $0.end, $0.end)
      }
      guard let cause else { return [] }
      return [
        TraceEvent(
          "s", "load", Process.list.rawValue, Process.list.thread(cause.slot), "load", at: transfer.start,
          id: id),
        TraceEvent(
          "f", "load", Process.network.rawValue, Process.network.thread(stream.number), "load",
          at: transfer.onConnection,
          id: id),
      ]
    }
  }

  // MARK: Streams

  /// A part of a connection on which no transfers overlap.
  private struct Stream: Hashable {
    let connection: Int
    let lane: Int
    /// The index among all streams.
    let number: Int

    var name: String { "connection \(connection)" + (lane == 0 ? "" : ", stream \(lane + 1)") }
  }

  /// The thread number of transfers without a connection, after the numbers of all streams.
  private static let noConnection = Recording.spanLimit

  /// Returns the streams of the transfers with a connection, by the index of the transfer. Transfers that
  /// share a connection at the same time, as with HTTP/2, have different streams.
  private static func streams(of transfers: [Recording.Transfer]) -> [Int: Stream] {
    var ends: [Int: [(end: Int64, number: Int)]] = [:]
    var streams: [Int: Stream] = [:]
    var count = 0
    let sent = transfers.indices.sorted {
      (transfers[$0].onConnection, $0) < (transfers[$1].onConnection, $1)
    }
    for index in sent {
      let transfer = transfers[index]
      guard let connection = transfer.connection else { continue }
      var lanes = ends[connection] ?? []
      let lane = lanes.firstIndex { $0.end <= transfer.onConnection } ?? lanes.count
      if lane == lanes.count {
        lanes.append((transfer.end, count))
        count += 1
      } else {
        lanes[lane].end = transfer.end
      }
      ends[connection] = lanes
      streams[index] = Stream(connection: connection, lane: lane, number: lanes[lane].number)
    }
    return streams
  }

  // MARK: Counters

  private var counters: [TraceEvent] {
    recording.series.samples.enumerated().flatMap { index, sample -> [TraceEvent] in
      let time = Int64(index) * recording.series.step
      func counter(_ process: Process, _ name: String, _ unit: String, _ value: TraceEvent.Value)
        -> TraceEvent
      {
        TraceEvent("C", name, process.rawValue, at: time, args: [(unit, value)])
      }
      var counters = [
        counter(.list, "offset", "px", .decimal(sample.offset)),
        counter(.list, "velocity", "px/s", .decimal(sample.velocity)),
        counter(.list, "blank_px", "px", .decimal(sample.blank / recording.series.step.seconds)),
        counter(.network, "inflight", "transfers", .number(sample.inFlight)),
      ]
      if let memory = sample.memory {
        counters.append(counter(.decoding, "memory", "bytes", .number(memory)))
      }
      return counters
    }
  }
}

extension Recording.Transfer {
  /// The start of the slice on the connection: the time at which the request was sent, which older recordings
  /// lack.
  fileprivate var onConnection: Int64 { sent ?? start }
}

extension SimulationResult {
  /// Returns the recording as a trace for Perfetto and `chrome://tracing`, or nil without a recording.
  package func trace() -> String? {
    guard let recording else { return nil }
    var about = [("tool", "\(tool.name) \(tool.version)"), ("seed", "\(config.seed)")]
    if let fingerprint { about.append(("fingerprint", fingerprint)) }
    if let reproduce { about.append(("reproduce", reproduce)) }
    if recording.isCutShort { about.append(("recorded_until", recording.end.secondsText)) }
    return PerfettoTrace(recording: recording, about: about).json()
  }
}
