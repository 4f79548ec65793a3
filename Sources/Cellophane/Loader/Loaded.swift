/// The tier from which a value came.
public enum Source: String, Sendable, CaseIterable {
  /// The memory cache.
  case memory
  /// The disk cache, also after revalidation by the origin (304).
  case disk
  /// The origin.
  case network
}

/// A value and its source.
public struct Loaded<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The tier from which it came; for a caller that joined running work, the tier of that work.
  public let source: Source
  /// The response from which it was made, also when it came from memory; nil for a value that was put into the memory
  /// cache with ``MemoryCache/insert(_:for:cost:row:)``.
  public var response: LoadedResponse?
  /// True when its bytes were stale, as the request or their origin allows. Such a value is stored in memory only with a
  /// background refresh.
  public var isStale = false
  /// The background refresh, if there is one. Its value is nil when this one is still valid or the refresh failed.
  public var refresh: Refresh<Loaded>?
  /// The expiry of the value; nil for a value without one.
  var expiry: Expiry?
  /// The checksum of the bytes from which it was made; nil for a value without an expiry.
  var version: UInt64? { expiry?.version }
}

extension Loaded: CustomStringConvertible {
  /// The value and its source, in one line.
  public var description: String { "\(oneLine(value)) from \(source)\(isStale ? ", stale" : "")" }
}

/// A response body with its status and header fields.
public struct LoadedBytes: Sendable {
  /// The body after content decoding, shared without copying.
  public let bytes: [UInt8]
  /// The URL of the response, after redirects.
  public internal(set) var url = ""
  /// The origin's status code.
  public let status: Int
  /// The response's header fields, without those of the message: its connection, and the length and coding of the body
  /// before decoding.
  public let headers: HeaderFields
  /// The tier from which a value came.
  public let source: Source
  /// True when they were stale, as the request or their origin allows.
  public var isStale = false
  /// The background refresh, if there is one. Its source is ``Source/disk`` when these bytes are still valid.
  public var refresh: Refresh<LoadedBytes>?
  /// The time and the attempts of the request to the origin, also of a revalidation; nil without a request.
  public var fetchMetrics: FetchMetrics?
  /// The reason why the disk cache could not store the response; nil after success, for a response that must not be stored,
  /// and without a disk cache.
  public var storeFailure: StoreFailure?
  /// The number of attempts that failed temporarily at the host of the request.
  package internal(set) var ownRefusals = 0
  /// When they were requested, in seconds since 1970.
  var storedAt: Int64 = 0
  /// The key of the redirects' target, under which they are stored as well; nil without redirects.
  var targetKey: ResponseKey?
  /// Until when the redirects to them are fresh, in seconds since 1970; nil without redirects that expire.
  var redirectedUntil: Int64?
  /// True if the response is on disk or may be.
  var mayBeOnDisk = false
  /// The memory that the bytes take until they are decoded or written; nil without a limit.
  var memory: BodyMemory.Share?
}

extension LoadedBytes: CustomStringConvertible, CustomReflectable {
  /// The response without its body.
  public var response: LoadedResponse {
    LoadedResponse(
      url: url, status: status, headers: headers, requestedAt: storedAt, redirectedUntil: redirectedUntil,
      metrics: fetchMetrics)
  }

  /// The status, the size of the body and the source.
  public var description: String {
    "LoadedBytes(\(status), \(bytes.count) bytes from \(source)\(isStale ? ", stale" : ""))"
  }

  /// The response and the size of the body, without its bytes.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "url": url, "status": status, "headers": headers, "bytes": bytes.count, "source": source,
        "isStale": isStale,
      ])
  }
}

extension LoadedBytes {
  /// The same bytes, which may live longer than their load and do not count against the memory for bodies.
  package var withoutMemory: LoadedBytes {
    if memory == nil { return self }
    var copy = self
    copy.memory = nil
    return copy
  }

  init(
    _ response: StoredResponse, source: Source, isStale: Bool = false, refresh: Refresh<LoadedBytes>? = nil
  ) {
    self.init(
      bytes: response.body, status: response.status, headers: response.headers, source: source,
      isStale: isStale, refresh: refresh, storedAt: response.storedAt, mayBeOnDisk: source == .disk)
  }
}
