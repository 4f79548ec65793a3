internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults
internal import SimulationTestSupport

@Suite struct RequestTraceFormatTests {
  private static func trace() throws -> RequestTrace {
    let run = try ScriptedRun()
    let recorder = Recorder(run.scene)
    run.play(for: recorder)
    return recorder.finish().requests
  }

  /// Returns the index of the next request for the same key, by linear search.
  private static func next(after index: Int, in trace: RequestTrace) -> Int? {
    trace.requests[(index + 1)...].firstIndex { $0.key == trace.requests[index].key }
  }

  @Test func `oracleGeneral has all fields and the index of the next request`() throws {
    let trace = try Self.trace()
    let bytes = trace.oracleGeneral()
    #expect(trace.requests.count > 100 && bytes.count == 24 * trace.requests.count)
    func number(_ offset: Int, _ count: Int) -> UInt64 {
      bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    var repeated = 0
    for (index, request) in trace.requests.enumerated() {
      #expect(number(24 * index, 4) == UInt64(request.time / 1_000_000))
      #expect(number(24 * index + 4, 8) == UInt64(request.key))
      #expect(number(24 * index + 12, 4) == UInt64(request.size))
      let next = Self.next(after: index, in: trace)
      #expect(Int64(bitPattern: number(24 * index + 16, 8)) == next.map(Int64.init) ?? .max)
      repeated += next == nil ? 0 : 1
    }
    #expect(repeated > 20)
  }

  @Test func `CSV has all fields and the index of the next request`() throws {
    let trace = try Self.trace()
    let lines = trace.csv().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "time_s,id,size,row,next_access_vtime" && lines.last == "")
    #expect(lines.count == trace.requests.count + 2)
    for (index, request) in trace.requests.enumerated() {
      let fields = lines[index + 1].split(separator: ",")
      #expect(abs((Double(fields[0]) ?? -1) - Double(request.time) / 1e6) < 1e-9)
      #expect(fields[1...3].map { Int($0) } == [request.key, request.size, request.row])
      #expect(Int(fields[4]) == Self.next(after: index, in: trace) ?? -1)
    }
  }
}
