#if canImport(FoundationEssentials)
  public import protocol FoundationEssentials.LocalizedError
#else
  public import Foundation
#endif

// `Error.localizedDescription`, which applications show, is the message.
extension LoadError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

// The domain and code of an `NSError` that Foundation makes from the error. Foundation reads them from the hidden
// requirements of `Error`; `CustomNSError` itself is not in FoundationEssentials.
extension LoadError {
  /// The domain of the error as an `NSError`.
  public static var errorDomain: String { "Cellophane.LoadError" }
  /// The code of the error as an `NSError`: the position of its kind in ``Kind``, from 1.
  public var errorCode: Int { (Kind.allCases.firstIndex(of: kind) ?? 0) + 1 }
  /// The details of the error as an `NSError`: its message.
  public var errorUserInfo: [String: Any] { ["NSLocalizedDescription": message] }

  /// The hidden requirement of `Error` for the domain.
  public var _domain: String { Self.errorDomain }
  /// The hidden requirement of `Error` for the code.
  public var _code: Int { errorCode }
}

#if canImport(Darwin) && !canImport(FoundationEssentials)
  extension LoadError: CustomNSError {}
#endif

extension LoadError {
  /// Creates a load error from an error of any type, such as one that left a task group or an untyped closure.
  ///
  /// A load error stays as it is, and a `CancellationError` becomes ``cancelled``. An error that no loader threw has the
  /// kind ``Kind/io``.
  public init(_ error: any Error) {
    switch error {
    case let error as LoadError: self = error
    case is CancellationError: self = .cancelled
    default: self.init(.io, "\(error)")
    }
  }
}
