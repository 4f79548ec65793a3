internal import Cellophane

/// The stage at which a record failed.
package enum BatchStage: String, CaseIterable, Sendable {
  /// The record has no URL that may be loaded.
  case input
  /// The request was restricted to the cache (`only-if-cached`), which has no response.
  case cache
  /// The host name could not be resolved.
  case dns
  /// The connection was refused or timed out.
  case connect
  /// The TLS handshake failed.
  case tls
  /// No response arrived, or its status or its redirects are an error.
  case http
  /// The body is incomplete or too large.
  case body
  /// The body has another hash than its record expects.
  case verify
  /// The body is not a readable image, or exceeds the limits.
  case decode
  /// The image is within the limits, but resizing it is not, or its box has no pixel.
  case resize
  /// The output could not be written.
  case output

  /// Whether the failure happened during a request to the origin.
  var isOfOrigin: Bool {
    switch self {
    case .dns, .connect, .tls, .http, .body: true
    case .input, .cache, .verify, .decode, .resize, .output: false
    }
  }

  /// Returns the stage of a failed load, from the kind of `error` and the stage of the exchange that the transport reports.
  init(ofLoad error: LoadError, at stage: FailedExchange.Stage?) {
    self =
      switch (error.kind, stage) {
      case (.dns, _): .dns
      case (.notCached, _): .cache
      case (.invalidRequest, _): .input
      case (.bodyTooLarge, _): .body
      // The status and the fields of the response are the error.
      case (.status, _), (.redirects, _): .http
      case (_, let stage?): BatchStage(stage)
      case (.connect, nil), (.refused, nil): .connect
      case (.tls, nil): .tls
      default: .http
      }
  }

  /// Returns the stage of a failed decoding of `body`. Decoding, cropping and resizing are one operation: an image that is
  /// too large only with its options failed at ``resize``, as did one whose box has no pixel.
  init(of error: LoadError, _ body: LoadedBytes, _ options: ImageOptions, _ decoder: ImageDecoder) {
    guard error.kind != .invalidRequest else {
      self = .resize
      return
    }
    guard error.kind == .imageTooLarge, options.targetSize != nil || !options.processors.isEmpty else {
      self = .decode
      return
    }
    var unresized = options
    (unresized.targetSize, unresized.processors) = (nil, [])
    let isWithin = (try? decoder.workingBytes(for: body.bytes, options: unresized)) != nil
    self = isWithin ? .resize : .decode
  }

  private init(_ stage: FailedExchange.Stage) {
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

/// An error with its stage.
struct StagedError: Error {
  let error: LoadError
  let stage: BatchStage
  /// The details of the failed load; nil if the error is not that of a load.
  var failure: FailedFetch?
}

extension BatchStage {
  /// Runs `step` and adds this stage to its errors.
  func run<Value>(_ step: () throws(LoadError) -> Value) throws(StagedError) -> Value {
    do throws(LoadError) { return try step() } catch { throw StagedError(error: error, stage: self) }
  }
}
