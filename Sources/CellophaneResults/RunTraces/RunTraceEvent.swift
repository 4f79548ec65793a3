package import Cellophane

/// One line of a run trace: an event of a loader or of its list. The fields that do not belong to the kind are nil.
package struct RunTraceEvent: Sendable, Hashable {
  /// The kinds of events, by their names in the format.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A slot was bound to a row and waits for its image.
    case bind
    /// A slot was bound to another row with the image that it shows, and keeps the image.
    case keep
    /// A slot waits again.
    case wait
    /// A slot shows the image of a row, or an image that cannot be identified.
    case show
    /// A slot shows a preview of the image of a row.
    case preview
    /// The load of a slot failed.
    case fail
    /// A slot was cleared.
    case clear
    /// A transfer of the image of a row started.
    case start
    /// A transfer has received a number of bytes so far.
    case progress
    /// A transfer received the complete image.
    case finish
    /// The loader cancelled a transfer.
    case cancel
    /// A transfer failed.
    case error
    /// The transport closed a cancelled transfer, which had received a number of bytes.
    case close
    /// Decoding of the image of a row started.
    case decode
    /// A decoding ended.
    case decoded
    /// A frame was drawn.
    case draw
    /// The run ended.
    case end
  }

  /// The time since the start of the run.
  package var time: Duration
  package var kind: Kind
  /// The number of the slot.
  package var slot: Int?
  /// The row whose image the event is about; nil for an image that cannot be identified.
  package var row: Int?
  /// The version of the image.
  package var version: Int?
  /// The source of a shown image.
  package var source: Source?
  /// The number of the transfer or of the decoding.
  package var number: Int?
  /// The number of body bytes received so far.
  package var bytes: Int?
  /// The size of the complete file; nil if the response confirms an older one.
  package var size: Int?
  /// The reason of a failure.
  package var reason: LoadError.Kind?
  /// The number of the frame's vsync, and its delay in vsyncs.
  package var vsync, late: Int?

  init(_ kind: Kind, at time: Duration) {
    self.kind = kind
    self.time = time
  }
}

/// The counters of a run that its events do not contain. Nil if the harness does not know them.
package struct RunTraceCounters: Sendable, Hashable, Codable {
  /// The number of late results that the loader discarded.
  package var staleDropped: Int?
  /// The peak number of simultaneous transfers on the network.
  package var peakTransfers: Int?
  /// The number of connections opened.
  package var connections: Int?
  /// The bytes that arrived after the cancellation of their transfers, which no event includes.
  package var receivedAfterCancel: Int?
  /// The peak size of the memory cache, in bytes.
  package var peakMemory: Int?

  /// Creates unknown counters.
  package init() {}

  enum CodingKeys: String, CodingKey, CaseIterable {
    case staleDropped = "stale_dropped"
    case peakTransfers = "peak_transfers"
    case connections
    case receivedAfterCancel = "received_after_cancel"
    case peakMemory = "peak_memory_bytes"
  }
}

/// The events of one run of a loader, with its scenario.
package struct RunTrace: Sendable {
  /// The name of the schema. New versions only add fields and events.
  package static let schema = "cellophane.run/1"

  /// The name of the loader.
  package let loader: String
  /// The scenario of the run. Its seed is the seed of the run, and it has one replica.
  package let configuration: SimulationConfiguration
  /// The events in the order of time.
  package internal(set) var events: [RunTraceEvent] = []
  /// The counters of the end of the run.
  package internal(set) var counters = RunTraceCounters()
}
