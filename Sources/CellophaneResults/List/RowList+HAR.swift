package import Cellophane
internal import FoundationEssentials

extension RowList {
  /// Returns true if `text` is a JSON object, as an HTTP archive is, and neither URLs nor records.
  package static func isArchive(_ text: [UInt8]) -> Bool {
    let start = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    return text[start...].first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }

  /// Reads the images of an HTTP archive (HAR 1.2), which browsers and proxies export: one row for each different URL, in
  /// the order of the requests. Vector images, `data:` URLs, and answers with another status than 200 or 304 are left out.
  ///
  /// The size of a file is that of the body as sent, otherwise that of the content, otherwise unknown. An archive does not
  /// contain the sizes of images on the screen.
  ///
  /// - Parameters:
  ///   - name: The name of the archive in error messages.
  ///   - height: The height of every row, in px.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the text is no archive, has no images, or has a file of more bytes than
  ///   a list accepts.
  /// - Complexity: O(bytes).
  package init(name: String, har text: [UInt8], height: Int) throws(LoadError) {
    let archive: Archive
    do {
      let json = text.starts(with: Self.byteOrderMark) ? text[Self.byteOrderMark.count...] : text[...]
      archive = try JSONDecoder().decode(Archive.self, from: Data(json))
    } catch {
      let path = (error as? DecodingError).map { ScenarioField.path($0.codingPath) } ?? ""
      throw LoadError(
        .invalidRequest,
        "\(name) is not an HTTP archive\(path.isEmpty ? "" : " at \(path)"); export the requests of a browser as HAR"
      )
    }
    var sizes: [String: Int?] = [:]
    var urls: [String] = []
    for (index, entry) in archive.log.entries.enumerated() where entry.isImage {
      let bytes = entry.response.bytes
      guard bytes.map(Self.sizes.contains) ?? true else {
        throw LoadError(
          .invalidRequest,
          "\(name): log.entries[\(index)] has \(bytes ?? 0) bytes, more than \(Self.sizes.upperBound); remove the entry"
        )
      }
      let url = entry.request.url
      if let known = sizes[url] {
        sizes[url] = .some(known ?? bytes)
      } else {
        sizes[url] = .some(bytes)
        urls.append(url)
      }
    }
    guard !urls.isEmpty else {
      throw LoadError(
        .invalidRequest, "\(name) has no images; record a page with images, from its first request on")
    }
    self.init(urls.map { ListedRow(url: $0, height: height, bytes: sizes[$0] ?? nil) })
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// The fields of an HTTP archive that a list needs.
private struct Archive: Decodable {
  struct Log: Decodable { let entries: [Entry] }

  struct Entry: Decodable {
    struct Request: Decodable { let url: String }
    let request: Request
    let response: Response

    var isImage: Bool {
      let scheme = request.url.prefix(8).lowercased()
      let type = (response.content?.mimeType ?? "").lowercased()
      return (scheme.hasPrefix("http://") || scheme == "https://") && type.hasPrefix("image/")
        && !type.hasPrefix("image/svg") && [200, 304].contains(response.status)
    }
  }

  struct Response: Decodable {
    struct Content: Decodable {
      let size: Double?
      let mimeType: String?
    }
    let status: Int
    /// The length of the body as sent; -1 if unknown, 0 if it came from a cache.
    let bodySize: Double?
    let content: Content?

    /// The size of the file, in bytes; nil if unknown.
    var bytes: Int? {
      [bodySize, content?.size].compactMap(\.self).first { $0 >= 1 }.map { Int(min($0, 1e15)) }
    }
  }

  let log: Log
}
