/// A request for a bucket or for one of its objects.
package struct S3Request: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  /// The content of a request.
  package enum Body: Equatable, Sendable {
    case none
    case bytes([UInt8])
    /// A range of an open file, which must stay open and unchanged during the request.
    case file(descriptor: Int32, offset: Int, count: Int)
  }

  package var method: Method
  /// The key of the object; empty for the bucket.
  package var key: String
  /// The query items, not encoded.
  package var query: [(name: String, value: String)]
  /// The fields that are sent in addition to those of the signature. Their names are in small letters.
  package var headers: [(name: String, value: String)]
  package var body: Body
  /// The root element of the answer; nil for an answer without XML. A proxy can answer with another text and the status 200.
  var root: String?

  package init(
    _ method: Method, _ key: String = "", query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: Body = .none, root: String? = nil
  ) {
    (self.method, self.key, self.query, self.headers) = (method, key, query, headers)
    (self.body, self.root) = (body, root)
  }
}

/// The response to a request.
package struct S3Response: Sendable {
  package var status: Int
  /// The entity tag, with its quotation marks.
  package var etag: String?
  /// The region of the bucket (`x-amz-bucket-region`), in responses that redirect to it.
  package var region: String?
  /// The value of `Content-Length`.
  package var length: Int?
  package var body: [UInt8]

  package init(
    _ status: Int, etag: String? = nil, region: String? = nil, length: Int? = nil, body: [UInt8] = []
  ) {
    (self.status, self.etag, self.region) = (status, etag, region)
    (self.length, self.body) = (length, body)
  }
}
