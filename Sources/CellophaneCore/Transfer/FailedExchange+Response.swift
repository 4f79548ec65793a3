extension FailedExchange {
  /// Creates the details of a complete exchange whose response head is the failure.
  package init(_ response: TransportResponse) {
    self.init(
      stage: .http, timings: response.timings, status: response.status,
      contentType: response.headers["content-type"])
  }
}
