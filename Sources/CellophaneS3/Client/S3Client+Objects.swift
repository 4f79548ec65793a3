package import CellophaneCore

/// An object in a list.
package struct S3Object: Equatable, Sendable {
  /// The name relative to the location.
  package let name: String
  package let size: Int
  /// The entity tag with its quotation marks.
  package let etag: String
}

extension S3Client {
  /// The length of the ranges in which an object is read. 8 MiB: few requests, and little memory.
  static let pieceBytes = 8 << 20

  /// Writes an object and returns its entity tag.
  ///
  /// - Parameter ifAbsent: True to write only if no object has the name; see ``S3Error/isConditionFailure``.
  @discardableResult
  package func put(
    _ name: String, _ body: S3Request.Body, type: String = "application/octet-stream", ifAbsent: Bool = false
  ) async throws(S3Error) -> String {
    var headers = [(name: "content-type", value: type)]
    if ifAbsent { headers.append(("if-none-match", "*")) }
    let request = S3Request(.put, key(of: name), headers: headers, body: body)
    guard let etag = try await send(request).etag, !etag.isEmpty else {
      throw S3Error(
        "the server stored an object without an entity tag, which S3 has; check the endpoint",
        isRetryable: false)
    }
    return etag
  }

  /// Returns the content of a small object; nil if it does not exist.
  package func get(_ name: String) async throws(S3Error) -> [UInt8]? {
    do throws(S3Error) {
      return try await send(S3Request(.get, key(of: name))).body
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
  }

  /// Passes the content of a large object to `piece` in parts.
  ///
  /// - Throws: The error of `piece`, or ``LoadError/Kind/io``.
  package func read(
    _ object: S3Object, piece: ([UInt8]) throws(LoadError) -> Void
  ) async throws(LoadError) {
    var offset = 0
    while offset < object.size {
      let end = min(offset + Self.pieceBytes, object.size)
      let request = S3Request(
        .get, key(of: object.name),
        headers: [("range", "bytes=\(offset)-\(end - 1)"), ("if-match", object.etag)])
      let body: [UInt8]
      do throws(S3Error) { body = try await send(request).body } catch {
        throw error.loadError("read \(location)\(object.name)")
      }
      guard body.count == end - offset else {
        throw LoadError(
          .io, "cannot read \(location)\(object.name): the server sent another range; try again")
      }
      try piece(body)
      offset = end
    }
  }

  /// Returns the length of an object; nil if it does not exist.
  package func size(of name: String) async throws(S3Error) -> Int? {
    do throws(S3Error) {
      return try await send(S3Request(.head, key(of: name))).length ?? 0
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
  }

  /// Removes an object, if it exists.
  package func delete(_ name: String) async throws(S3Error) {
    do throws(S3Error) { _ = try await send(S3Request(.delete, key(of: name))) } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Passes the objects whose names begin with `beginning` to `page`, up to a thousand at a time, in the order of their
  /// names.
  ///
  /// - Parameter isDeep: False to leave out objects with a slash after the beginning.
  package func list(
    _ beginning: String = "", isDeep: Bool = true, page: ([S3Object]) throws(S3Error) -> Void
  ) async throws(S3Error) {
    var token: String?
    var (last, emptyPages) = (S3Object?.none, 0)
    repeat {
      var query = [(name: "list-type", value: "2"), ("prefix", key(of: beginning))]
      if !isDeep { query.append(("delimiter", "/")) }
      if let token { query.append(("continuation-token", token)) }
      let body = try await send(S3Request(.get, query: query, root: "ListBucketResult")).body
      let objects = S3XML.groups("Contents", of: ["Key", "Size", "ETag"], in: body).compactMap(object)
      emptyPages = objects.isEmpty ? emptyPages + 1 : 0
      // A server that repeats its pages would make the list endless.
      guard emptyPages <= Self.mostEmptyPages,
        !objects.contains(where: { first in last.map { !first.isAfter($0) } ?? false })
      else { throw S3Error("the server repeats a page of its list", isRetryable: false) }
      last = objects.last ?? last
      try page(objects)
      let isTruncated = S3XML.text(of: "IsTruncated", in: body) == "true"
      token = isTruncated ? S3XML.text(of: "NextContinuationToken", in: body) : nil
      guard !isTruncated || token?.isEmpty == false else {
        throw S3Error("the server cut its list off without a continuation token", isRetryable: false)
      }
    } while token != nil
  }

  /// The maximum number of pages in a row without an object: those of ten million folders.
  private static let mostEmptyPages = 10_000

  private func object(_ texts: [String: String]) -> S3Object? {
    // By bytes: a name can begin with a mark that combines with the slash before it.
    guard let key = texts["Key"], key.utf8.starts(with: location.prefix.utf8) else { return nil }
    return S3Object(
      name: String(decoding: key.utf8.dropFirst(location.prefix.utf8.count), as: UTF8.self),
      size: texts["Size"].flatMap { Int($0) } ?? 0, etag: texts["ETag"] ?? "")
  }
}

extension S3Object {
  /// Whether the name follows that of `other` in the order of a list.
  fileprivate func isAfter(_ other: S3Object) -> Bool {
    other.name.utf8.lexicographicallyPrecedes(name.utf8)
  }
}
