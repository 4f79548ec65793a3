/// The events of one run of one loader over time, for figures: the rows on the screen and their content, the
/// transfers, the decodings, and the motion of the list.
///
/// The size is bounded. Spans (appearances, transfers, decodings) are kept from the start of the run until
/// there are ``spanLimit`` of them; ``end`` is the time of the last one. The series covers the complete run,
/// with longer steps for longer runs. Times are in µs from the start of the run, lengths in px.
public struct Recording: Sendable, Hashable {
  /// A rectangle in the list, in px from the upper left corner of the list.
  public struct Place: Sendable, Hashable {
    /// The left and the top edge.
    public let left, top: Int
    /// The size.
    public let width, height: Int
  }

  /// The image of a row on the screen, from the first frame with the row to the first frame without it.
  public struct Appearance: Sendable, Hashable {
    /// The row.
    public let row: Int
    /// The slot that was bound to it.
    public let slot: Int
    /// The place of its image.
    public let place: Place
    /// The time of the first frame with the row.
    public let start: Int64
    /// The time of the first frame without the row.
    public var end: Int64
    /// The first frame with a preview of its image.
    public var preview: Int64?
    /// The first frame with its image.
    public var shown: Int64?
  }

  /// A transfer, as seen by the transport of the loader.
  public struct Transfer: Sendable, Hashable {
    /// The end of a transfer.
    public enum Outcome: String, Sendable, Hashable, CaseIterable, Codable {
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
    public let row: Int
    /// The place of that image.
    public let place: Place
    /// The connection of its request. Connections are numbered from 0 in the order of their first use. Nil if
    /// the request was not sent or the transport does not report connections.
    public var connection: Int?
    /// The time at which the loader started it.
    public let start: Int64
    /// The time at which its request was sent, after the wait for a connection and its handshakes. Nil if it
    /// was not sent.
    public var sent: Int64?
    /// The time of the first byte of the response. If the transport does not report it, the first sample with
    /// body bytes.
    public var firstByte: Int64?
    /// The time of its end.
    public var end: Int64
    /// The number of body bytes received.
    public var bytes: Int
    /// How it ended.
    public var outcome: Outcome
    /// True if the same file had been received completely before.
    public let isRepeated: Bool
  }

  /// A decoding.
  public struct Decoding: Sendable, Hashable {
    /// The row of the image.
    public let row: Int
    /// The decoder, from 0.
    public let core: Int
    /// The time of its start.
    public let start: Int64
    /// The time of its end.
    public var end: Int64
  }

  /// The appearances, ordered by start and row.
  public let appearances: [Appearance]
  /// The transfers, ordered by start.
  public let transfers: [Transfer]
  /// The decodings, ordered by start.
  public let decodings: [Decoding]
  /// The motion of the list and its effects, over the complete run.
  public let series: Series
  /// The hit ratios of other caches for the requests of the slots.
  public let caches: CacheCurve?
  /// The width and the height of the viewport.
  public let viewport: [Int]
  /// The time up to which spans were kept, in µs; the duration of the run if all were kept.
  public let end: Int64
  /// The duration of the run, in µs.
  public let duration: Int64

  /// The maximum number of spans. 20 000: a minute of scrolling at 7 000 px/s through rows of 120 px has 10
  /// 500, and a report with 20 000 has a few MB.
  public static let spanLimit = 20_000

  /// True if the run continued after the last span that was kept.
  public var isCutShort: Bool { end < duration }
  /// True if the reason was the number of spans; otherwise it was a rotation of the screen.
  var isFull: Bool { appearances.count + transfers.count + decodings.count >= Self.spanLimit }
}
