/// The events of one run of one loader over time, for figures: the rows on the screen and their content, the
/// transfers, the decodings, and the motion of the list.
///
/// The size is bounded. Spans (appearances, transfers, decodings) are kept from the start of the run until
/// there are ``spanLimit`` of them; ``end`` is the time of the last one. The series covers the complete run,
/// with longer steps for longer runs. Times are in µs from the start of the run, lengths in px.
package struct Recording: Sendable, Hashable {
  /// A rectangle in the list, in px from the upper left corner of the list.
  package struct Bounds: Sendable, Hashable {
    /// The left and the top edge.
    package let left, top: Int
    /// The size.
    package let width, height: Int
  }

  /// The image of a row on the screen, from the first frame with the row to the first frame without it.
  package struct Appearance: Sendable, Hashable {
    /// The row.
    package let row: Int
    /// The slot that was bound to it.
    package let slot: Int
    /// The bounds of its image.
    package let bounds: Bounds
    /// The time of the first frame with the row.
    package let start: Int64
    /// The time of the first frame without the row.
    package var end: Int64
    /// The first frame with a preview of its image.
    package var preview: Int64?
    /// The first frame with its image.
    package var shown: Int64?
  }

  /// A transfer, as seen by the transport of the loader.
  package struct Transfer: Sendable, Hashable {
    /// The end of a transfer.
    package enum Outcome: String, Sendable, Hashable, CaseIterable, Codable {
      /// The response was received completely.
      case completed
      /// The loader cancelled it.
      case cancelled
      /// An error, or a status that is not a success.
      case failed
      /// It was still running at the end of the recording.
      case running
    }

    /// The row of its image.
    package let row: Int
    /// The bounds of that image.
    package let bounds: Bounds
    /// The connection of its request. Connections are numbered from 0 in the order of their first use. Nil if
    /// the request was not sent or the transport does not report connections.
    package var connection: Int?
    /// The time at which the loader started it.
    package let start: Int64
    /// The time at which its request was sent, after the wait for a connection and its handshakes. Nil if it
    /// was not sent.
    package var sent: Int64?
    /// The time of the first byte of the response. If the transport does not report it, the first sample with
    /// body bytes.
    package var firstByte: Int64?
    /// The time of its end.
    package var end: Int64
    /// The number of body bytes received.
    package var bytes: Int
    /// How it ended.
    package var outcome: Outcome
    /// True if the same file had been received completely before.
    package let isRepeated: Bool
  }

  /// A decoding.
  package struct Decoding: Sendable, Hashable {
    /// The row of the image.
    package let row: Int
    /// The decoder, from 0.
    package let core: Int
    /// The time of its start.
    package let start: Int64
    /// The time of its end.
    package var end: Int64
  }

  /// The appearances, ordered by start and row.
  package let appearances: [Appearance]
  /// The transfers, ordered by start.
  package let transfers: [Transfer]
  /// The decodings, ordered by start.
  package let decodings: [Decoding]
  /// The motion of the list and its effects, over the complete run.
  package let series: Series
  /// The hit ratios of other caches for the requests of the slots.
  package let caches: CacheCurve?
  /// The width and the height of the viewport.
  package let viewport: [Int]
  /// The time up to which spans were kept, in µs; the duration of the run if all were kept.
  package let end: Int64
  /// The duration of the run, in µs.
  package let duration: Int64

  /// The maximum number of spans. 20 000: a minute of scrolling at 7 000 px/s through rows of 120 px has 10
  /// 500, and a report with 20 000 has a few MB.
  package static let spanLimit = 20_000

  /// True if the run continued after the last span that was kept.
  package var isCutShort: Bool { end < duration }
  /// True if the reason was the number of spans; otherwise it was a rotation of the screen.
  package var isFull: Bool { appearances.count + transfers.count + decodings.count >= Self.spanLimit }
  /// True if any row showed a preview.
  package var hasPreviews: Bool { appearances.contains { $0.preview != nil } }
}
