extension RunObservation {
  /// The counters for the end of a trace.
  package var traceCounters: RunTraceCounters {
    var counters = RunTraceCounters()
    counters.staleDropped = staleDropped
    counters.peakTransfers = peakTransfers
    counters.connections = connections
    counters.receivedAfterCancel = receivedAfterCancel
    counters.peakMemory = peakMemoryCost
    return counters
  }
}
