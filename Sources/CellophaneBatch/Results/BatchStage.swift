internal import Cellophane

/// The step of a line's road at which it failed.
package enum BatchStage: String, CaseIterable, Sendable {
  /// The line asks for nothing that may be loaded.
  case input
  /// Only the cache was allowed to answer, and has nothing.
  case cache
  /// The host's name has no address.
  case dns
  /// The host accepts no connection, or nothing comes of it in time.
  case connect
  /// Both sides do not agree on encryption.
  case tls
  /// The answer does not begin, or is none that was asked for.
  case http
  /// The answer does not come to its end, or is too large.
  case body
  /// The body is no picture, or one that is beyond the limits.
  case decode
  /// The picture is within the limits, and what is to be made of it is not.
  case resize
  /// What was loaded cannot be written.
  case output

  /// True when the origin was asked there.
  var isOfOrigin: Bool {
    switch self {
    case .dns, .connect, .tls, .http, .body: true
    case .input, .cache, .decode, .resize, .output: false
    }
  }

  /// Where the load failed that gave `error`: as far as the transport says; or else what the kind of the error tells.
  init(ofLoad error: LoadError) {
    self =
      switch (error.kind, error.exchange?.stage) {
      case (.dns, _): .dns
      case (.notCached, _): .cache
      case (.invalidRequest, _): .input
      case (.bodyTooLarge, _): .body
      // Their heads are what is wrong.
      case (.status, _), (.redirects, _): .http
      case (_, let stage?): BatchStage(stage)
      case (.connect, nil), (.refused, nil): .connect
      case (.tls, nil): .tls
      default: .http
      }
  }

  /// Where making a picture of `body` failed with `error`. Decoding and resizing are one step: what is too large is so by
  /// its size when the picture is not too large as it came.
  init(of error: LoadError, _ body: LoadedBytes, _ options: ImageOptions) {
    guard error.kind == .imageTooLarge, options.targetSize != nil else {
      self = .decode
      return
    }
    var unresized = options
    unresized.targetSize = nil
    let isWithin = (try? ImageDecoder().workingBytes(for: body.bytes, options: unresized)) != nil
    self = isWithin ? .resize : .decode
  }

  private init(_ stage: LoadError.Stage) {
    self =
      switch stage {
      case .dns: .dns
      case .connect: .connect
      case .tls: .tls
      case .http: .http
      case .body: .body
      }
  }
}

/// An error, and where on the road it happened.
struct StagedError: Error {
  let error: LoadError
  let stage: BatchStage
}

extension BatchStage {
  /// Runs a step of the road.
  func run<Value>(_ step: () throws(LoadError) -> Value) throws(StagedError) -> Value {
    do throws(LoadError) { return try step() } catch { throw StagedError(error: error, stage: self) }
  }
}
