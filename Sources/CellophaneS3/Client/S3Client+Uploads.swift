/// A part of an incomplete upload, as the server lists it.
package struct S3Part: Hashable, Sendable {
  package let number: Int
  package let etag: String
  package let size: Int

  package init(number: Int, etag: String, size: Int) {
    (self.number, self.etag, self.size) = (number, etag, size)
  }

  /// Returns an entity tag without its quotation marks, which some servers leave out in lists.
  package static func plain(_ etag: String) -> String { etag.filter { $0 != "\"" } }
}

extension S3Client {
  /// Returns the incomplete uploads of an object.
  func uploads(of name: String) async throws(S3Error) -> [String] {
    // One page has a thousand uploads. No object has more: each run aborts the uploads that it cannot resume.
    let body = try await send(
      S3Request(.get, query: [("prefix", key(of: name)), ("uploads", "")])
    ).body
    return S3XML.groups("Upload", of: ["Key", "UploadId"], in: body)
      .filter { $0["Key"] == key(of: name) }.compactMap { $0["UploadId"] }
  }

  /// Begins an upload and returns its identifier.
  func createUpload(of name: String, type: String) async throws(S3Error) -> String {
    let request = S3Request(
      .post, key(of: name), query: [("uploads", "")], headers: [("content-type", type)], body: .bytes([]))
    guard let id = S3XML.text(of: "UploadId", in: try await send(request).body), !id.isEmpty else {
      throw S3Error("the server began an upload without an identifier", isRetryable: false)
    }
    return id
  }

  /// Returns the parts of an incomplete upload.
  func parts(of name: String, in upload: String) async throws(S3Error) -> [S3Part] {
    var parts: [S3Part] = []
    var marker: String?
    repeat {
      var query = [(name: "uploadId", value: upload)]
      if let marker { query.append(("part-number-marker", marker)) }
      let body = try await send(S3Request(.get, key(of: name), query: query)).body
      let page = S3XML.groups("Part", of: ["PartNumber", "ETag", "Size"], in: body).compactMap {
        part -> S3Part? in
        guard let number = part["PartNumber"].flatMap({ Int($0) }), let etag = part["ETag"] else {
          return nil
        }
        return S3Part(number: number, etag: etag, size: part["Size"].flatMap { Int($0) } ?? -1)
      }
      parts += page
      let isTruncated = S3XML.text(of: "IsTruncated", in: body) == "true"
      marker = isTruncated ? page.last.map { String($0.number) } : nil
    } while marker != nil && parts.count <= PartLayout.mostParts
    return parts
  }

  /// Sends a part and returns its entity tag.
  func putPart(
    _ number: Int, of name: String, in upload: String, _ body: S3Request.Body
  ) async throws(S3Error) -> String {
    let request = S3Request(
      .put, key(of: name), query: [("partNumber", String(number)), ("uploadId", upload)], body: body)
    guard let etag = try await send(request).etag else {
      throw S3Error("the server stored a part without an entity tag", isRetryable: false)
    }
    return etag
  }

  /// Joins all parts, which makes the object appear.
  func completeUpload(of name: String, _ upload: String, etags: [String]) async throws(S3Error) {
    var xml = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    for (index, etag) in etags.enumerated() {
      xml += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(Self.escaped(etag))</ETag></Part>"
    }
    xml += "</CompleteMultipartUpload>"
    _ = try await send(
      S3Request(
        .post, key(of: name), query: [("uploadId", upload)], headers: [("content-type", "application/xml")],
        body: .bytes(Array(xml.utf8)), root: "CompleteMultipartUploadResult"))
  }

  /// Removes an incomplete upload and its parts.
  func abortUpload(of name: String, _ upload: String) async throws(S3Error) {
    do throws(S3Error) {
      _ = try await send(S3Request(.delete, key(of: name), query: [("uploadId", upload)]))
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
