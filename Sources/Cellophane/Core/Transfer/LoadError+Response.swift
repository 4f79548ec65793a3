extension LoadError.Exchange {
  /// An exchange that came to its end, and whose head is what is wrong.
  init(_ response: TransportResponse) {
    self.init(
      stage: .http, timings: response.timings, status: response.status,
      contentType: response.headers["content-type"])
  }
}
