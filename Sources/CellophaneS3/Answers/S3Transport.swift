/// The signing and the transfer of single requests. Tests replace it.
package protocol S3Transport: Sendable {
  /// Sends `request` once, and returns the response with any status.
  ///
  /// - Throws: ``S3Error`` without a status if there is no complete response.
  func send(_ request: S3Request) async throws(S3Error) -> S3Response
}
