/// The tier that answered.
public enum Source: String, Sendable, CaseIterable {
  /// The memory cache.
  case memory
  /// The disk cache, also when the origin was asked whether its bytes still hold.
  case disk
  /// The origin.
  case network
}

/// A value and where it came from.
public struct Loaded<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The tier that answered; for a caller who joined running work, the one that answered that work.
  public let source: Source
  /// True when its bytes were no longer fresh: the request allows that, or their origin does. Such a value is kept
  /// in memory only where the origin is asked in the background.
  public var isStale = false
  /// The value in place of this one, when the origin is asked in the background: nil when this one still holds or
  /// nothing better could be had.
  public var refresh: Refresh<Loaded>?
  /// Tells the bytes it was made of from others, when their origin wants to be asked about it.
  var version: UInt64?
}

/// A response body and what came with it.
public struct LoadedBytes: Sendable {
  /// The body after content decoding, shared without copying.
  public let bytes: [UInt8]
  /// The origin's status code.
  public let status: Int
  /// The response's header fields, without those that describe the message it came in: its connection, and the
  /// length and coding of a body that is decoded by now.
  public let headers: HeaderFields
  /// The tier that answered.
  public let source: Source
  /// True when they were no longer fresh: the request allows that, or their origin does.
  public var isStale = false
  /// What the origin says, when it is asked in the background; ``Source/disk`` when these bytes still hold.
  public var refresh: Refresh<LoadedBytes>?
  /// What it took to ask the origin, whose answer may be that what is on disk still holds; nil when it was not asked.
  public var inquiry: FetchMetrics?
  /// Why what the origin said of them is not on disk, although it was to be kept there; nil when it is, when it was not
  /// to be, and without a disk cache.
  public var storeFailure: StoreFailure?
  /// How many attempts failed at the request's own origin in a way that may pass.
  package internal(set) var ownRefusals = 0
  /// When they were asked for, in seconds since 1970.
  var storedAt: Int64 = 0
  /// The key of the redirects' target, under which they are stored as well; nil without redirects.
  var targetKey: ResponseKey?
  /// Until when the redirects that led to them hold, in seconds since 1970; nil when none of them passes.
  var redirectedUntil: Int64?
}

extension LoadedBytes {
  init(
    _ response: StoredResponse, source: Source, isStale: Bool = false, refresh: Refresh<LoadedBytes>? = nil
  ) {
    self.init(
      bytes: response.body, status: response.status, headers: response.headers, source: source,
      isStale: isStale, refresh: refresh, storedAt: response.storedAt)
  }
}
