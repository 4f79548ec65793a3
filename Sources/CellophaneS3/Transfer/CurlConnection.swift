internal import CCurl
internal import CellophaneCore
internal import CellophaneCurl

/// A connection to the server of a bucket. Its requests block a separate thread, not one of Swift's pool.
actor CurlConnection {
  private let executor = SerialQueueExecutor(label: "cellophane.s3")
  private let configuration: CurlS3Transport.Configuration
  /// Nil until the first request, and if libcurl cannot be used.
  private var handle: S3Handle?

  init(_ configuration: CurlS3Transport.Configuration) { self.configuration = configuration }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Signs `request` and sends it.
  func send(_ request: S3Request) -> Result<S3Response, S3Error> {
    if handle == nil, CurlLibrary.isReady { handle = S3Handle() }
    guard let handle, handle.prepare(request, configuration) else {
      return .failure(
        S3Error("libcurl cannot sign requests; install libcurl 7.75 or newer", isRetryable: false))
    }
    let code = handle.perform(request.body)
    guard code == CURLE_OK else { return .failure(handle.error(code)) }
    return .success(handle.response)
  }
}
