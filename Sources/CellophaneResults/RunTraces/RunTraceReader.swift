package import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads a run trace, and checks that its events fit together.
package struct RunTraceReader {
  /// The maximum size of a trace, in bytes: half a million events.
  package static let maxBytes = 64 << 20
  /// The maximum length of a line after the first, in bytes. The longest event has about 200.
  static let maxLine = 4_096
  /// The accepted numbers of slots: more than any screen shows.
  static let slots = 0...9_999
  /// The accepted numbers of transfers and decodings.
  static let numbers = 0...9_999_999
  /// The accepted sizes, in bytes.
  static let sizes = 0...1_000_000_000_000
  /// The time after the end of the run up to which events are accepted: a run in real time ends late.
  static let grace = Duration.seconds(1)

  private let name: String
  private var line = 0
  private var trace: RunTrace
  private var states: RunTraceStates

  /// Reads `text`.
  ///
  /// - Parameter name: The name of the file in messages.
  /// - Throws: ``LoadError/Kind/corrupt`` with the number of the first invalid line.
  package static func read(_ text: [UInt8], name: String) throws(LoadError) -> RunTrace {
    guard text.count <= maxBytes else {
      throw LoadError(.corrupt, "\(name) has more than \(maxBytes) bytes; trace a shorter run")
    }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var reader = try RunTraceReader(header: Array(lines[0]), name: name)
    for (index, line) in lines.enumerated().dropFirst() {
      reader.line = index + 1
      let isLast = index + 1 == lines.count
      // The last line break ends the last line.
      if isLast, line.isEmpty { break }
      try reader.add(line)
    }
    return reader.trace
  }

  private init(header: [UInt8], name: String) throws(LoadError) {
    self.name = name
    let schema = try? JSONDecoder().decode(SchemaName.self, from: Data(header)).schema
    guard schema == RunTrace.schema else {
      throw LoadError(
        .corrupt,
        "\(name), line 1: a run trace begins with {\"schema\": \"\(RunTrace.schema)\", \"loader\": NAME, "
          + "\"scenario\": {...}}")
    }
    do {
      let decoded = try JSONDecoder().decode(Header.self, from: Data(header))
      var configuration = decoded.scenario.asPlayed
      configuration.replicas = 1
      if decoded.loader != LoaderUnderTest.cellophane.rawValue { try LoaderName.check(decoded.loader) }
      guard configuration.list.pictures == .generated else {
        throw LoadError(.corrupt, "only a run with generated images can be scored")
      }
      _ = try configuration.checkedLayout()
      trace = RunTrace(loader: decoded.loader, configuration: configuration)
    } catch let error as LoadError {
      throw LoadError(.corrupt, "\(name), line 1: \(error.message)")
    } catch {
      throw LoadError(.corrupt, "\(name), line 1: needs a loader and a scenario")
    }
    states = RunTraceStates(rows: trace.configuration.list.rows)
  }

  private struct SchemaName: Decodable { let schema: String }

  private struct Header: Decodable {
    let loader: String
    let scenario: SimulationConfiguration
  }

  private mutating func add(_ text: ArraySlice<UInt8>) throws(LoadError) {
    guard text.count <= Self.maxLine else { throw error("the line has more than \(Self.maxLine) bytes") }
    let fields: Fields
    do { fields = try JSONDecoder().decode(Fields.self, from: Data(text)) } catch {
      throw self.error("the line is not a JSON object with the fields of an event")
    }
    let event: RunTraceEvent
    do throws(TraceFault) {
      event = try fields.event()
      try states.check(event, after: trace.events.last?.time ?? .zero, within: latest)
    } catch { throw self.error(error.reason) }
    trace.events.append(event)
    if event.kind == .end { trace.counters = fields.counters }
  }

  private var latest: Duration { trace.configuration.duration + Self.grace }

  private func error(_ reason: String) -> LoadError {
    LoadError(.corrupt, "\(name), line \(line): \(reason)")
  }
}

/// The reason why a line of a trace is invalid.
struct TraceFault: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension RunTraceReader {
  /// The fields of all events.
  fileprivate struct Fields: Decodable {
    let time: Double?
    let kind: String?
    let slot, row, version, transfer, decoding, bytes, size, vsync, late: Int?
    let source, reason: String?
    /// True if the line has the field, even if it is null.
    let hasRow, hasSize: Bool
    let counters: RunTraceCounters

    private enum CodingKeys: String, CodingKey {
      case slot, row, version, transfer, decoding, bytes, size, vsync, late, source, reason
      case time = "t_ms"
      case kind = "event"
    }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: CodingKeys.self)
      time = try object.decodeIfPresent(Double.self, forKey: .time)
      kind = try object.decodeIfPresent(String.self, forKey: .kind)
      slot = try object.decodeIfPresent(Int.self, forKey: .slot)
      row = try object.decodeIfPresent(Int.self, forKey: .row)
      version = try object.decodeIfPresent(Int.self, forKey: .version)
      transfer = try object.decodeIfPresent(Int.self, forKey: .transfer)
      decoding = try object.decodeIfPresent(Int.self, forKey: .decoding)
      bytes = try object.decodeIfPresent(Int.self, forKey: .bytes)
      size = try object.decodeIfPresent(Int.self, forKey: .size)
      vsync = try object.decodeIfPresent(Int.self, forKey: .vsync)
      late = try object.decodeIfPresent(Int.self, forKey: .late)
      source = try object.decodeIfPresent(String.self, forKey: .source)
      reason = try object.decodeIfPresent(String.self, forKey: .reason)
      hasRow = object.contains(.row)
      hasSize = object.contains(.size)
      counters = kind == "end" ? try RunTraceCounters(from: decoder) : RunTraceCounters()
    }

    /// Returns the event with the fields that its kind needs, in their ranges.
    func event() throws(TraceFault) -> RunTraceEvent {
      guard let kind = kind.flatMap(RunTraceEvent.Kind.init) else {
        let names = RunTraceEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw TraceFault("unknown event '\((kind ?? "").prefix(40))'; the events are \(names)")
      }
      guard let time, (0...86_401_000).contains(time) else {
        throw TraceFault("\(kind.rawValue) needs t_ms, the milliseconds since the start of the run")
      }
      var event = RunTraceEvent(kind, at: .roundedSeconds(time / 1_000))
      switch kind {
      case .bind, .keep:
        event.slot = try value(slot, "slot", in: slots, of: kind)
        event.row = try value(row, "row", in: 0...(.max), of: kind)
      case .show, .preview:
        event.slot = try value(slot, "slot", in: slots, of: kind)
        guard hasRow else {
          throw TraceFault(
            "\(kind.rawValue) needs row, the row whose image it shows; null if that is unknown")
        }
        event.row = row
        event.version = version
        if let source {
          event.source = Source(rawValue: source)
          if event.source == nil {
            throw TraceFault("unknown source '\(source.prefix(40))'; use memory, disk or network")
          }
        }
      case .wait, .fail, .clear:
        event.slot = try value(slot, "slot", in: slots, of: kind)
        (event.row, event.version) = (row, version)
        event.reason = reason.flatMap(LoadError.Kind.init)
      case .start:
        event.number = try value(transfer, "transfer", in: numbers, of: kind)
        event.row = try value(row, "row", in: 0...(.max), of: kind)
      case .progress, .finish, .cancel, .error, .close:
        event.number = try value(transfer, "transfer", in: numbers, of: kind)
        event.bytes = try value(bytes, "bytes", in: sizes, of: kind)
        if kind == .finish {
          event.size = hasSize ? size : event.bytes
          if let size, !sizes.contains(size) {
            throw TraceFault("size must be from 0 to \(sizes.upperBound)")
          }
        }
      case .decode:
        event.number = try value(decoding, "decoding", in: numbers, of: kind)
        (event.row, event.version) = (row, version)
      case .decoded: event.number = try value(decoding, "decoding", in: numbers, of: kind)
      case .draw:
        event.vsync = try value(vsync, "vsync", in: 0...99_999_999, of: kind)
        event.late = try value(late ?? 0, "late", in: 0...9_999, of: kind)
      case .end: break
      }
      return event
    }

    private func value(
      _ number: Int?, _ name: String, in range: ClosedRange<Int>, of kind: RunTraceEvent.Kind
    ) throws(TraceFault) -> Int {
      guard let number, range.contains(number) else {
        let most = range.upperBound == .max ? "or greater" : "to \(range.upperBound)"
        throw TraceFault("\(kind.rawValue) needs \(name), a whole number from \(range.lowerBound) \(most)")
      }
      return number
    }
  }
}
