/// What happened in one run of one loader, moment by moment, for pictures of it: which row was on the screen when and
/// what it showed, what was fetched and decoded, how the list moved.
///
/// It is bounded. Spans (appearances, transfers, decodings) are kept from the beginning until there are
/// ``spanLimit`` of them; ``end`` tells how far that reached. The series spans the whole run, in longer steps the
/// longer it is. Times are µs from the start of the run, lengths px.
public struct Recording: Sendable, Hashable {
  /// A place in the list, in px from its upper left corner.
  public struct Place: Sendable, Hashable {
    /// The left and the upper edge.
    public let left, top: Int
    /// The size.
    public let width, height: Int
  }

  /// A row's picture on the screen, from the frame with which it came in to the one without it.
  public struct Appearance: Sendable, Hashable {
    /// Which row.
    public let row: Int
    /// The reused cell that stood for it.
    public let slot: Int
    /// Where its picture belongs.
    public let place: Place
    /// When it came in, and when it was gone.
    public let start: Int64
    /// When it was gone.
    public var end: Int64
    /// The first frame with a preview of its picture.
    public var preview: Int64?
    /// The first frame with its picture.
    public var shown: Int64?
  }

  /// A transfer, as the loader's transport saw it.
  public struct Transfer: Sendable, Hashable {
    /// How it ended.
    public enum Outcome: String, Sendable, Hashable, CaseIterable, Codable {
      /// Whole.
      case completed
      /// Given up by the loader.
      case cancelled
      /// By an error, or by a status that is no success.
      case failed
      /// Not before the recording did.
      case running
    }

    /// The row whose picture it was for.
    public let row: Int
    /// Where that picture belongs.
    public let place: Place
    /// The connection that its request went out over, in the order in which they were first used, from 0; nil when it
    /// did not go out, or where the transport does not tell.
    public var connection: Int?
    /// When it was asked for.
    public let start: Int64
    /// When its request went out: behind the wait for a connection, and for its handshakes. Nil when it did not.
    public var sent: Int64?
    /// When the answer began to come; where the transport does not tell, the first look at which some of its body had.
    public var firstByte: Int64?
    /// When it ended.
    public var end: Int64
    /// The body's bytes that came.
    public var bytes: Int
    /// How it ended.
    public var outcome: Outcome
    /// True when the same had been received whole before.
    public let isRepeated: Bool
  }

  /// A picture in a decoder.
  public struct Decoding: Sendable, Hashable {
    /// Whose picture.
    public let row: Int
    /// The decoder, from 0.
    public let core: Int
    /// When it began.
    public let start: Int64
    /// When it was done.
    public var end: Int64
  }

  /// The appearances in the order of their starts, then of their rows.
  public let appearances: [Appearance]
  /// The transfers in the order of their starts.
  public let transfers: [Transfer]
  /// The decodings in the order of their starts.
  public let decodings: [Decoding]
  /// How the list moved, and what came of it, over the whole run.
  public let series: Series
  /// How well other caches would have answered what the slots asked for.
  public let caches: CacheCurve?
  /// The width and height of the visible part.
  public let viewport: [Int]
  /// Until when spans were kept, in µs; the length of the run when all were.
  public let end: Int64
  /// How long the run was, in µs.
  public let duration: Int64

  /// The most spans that are kept. 20 000: a minute of scrolling at 7 000 px/s through rows of 120 px has 10 500, and
  /// a report with as many is a few MB.
  public static let spanLimit = 20_000

  /// True when the run went on after the last span that was kept.
  public var isCutShort: Bool { end < duration }
  /// True when that is because there are too many; else the screen was turned.
  var isFull: Bool { appearances.count + transfers.count + decodings.count >= Self.spanLimit }
}
