/// A codec that an ``ImageDecoder`` can use.
public struct PictureCodec: Sendable {
  package let codec: any FormatCodec

  package init(_ codec: any FormatCodec) { self.codec = codec }

  /// The format that it reads.
  public var format: ImageFormat { codec.format }
}

/// The codecs of a decoder, at most one for each format.
struct CodecRegistry: Sendable {
  let codecs: [any FormatCodec]

  /// Creates a registry. Of several codecs for one format, the last counts.
  init(_ codecs: [PictureCodec]) {
    var all: [any FormatCodec] = []
    for codec in codecs.map(\.codec) {
      all.removeAll { $0.format == codec.format }
      all.append(codec)
    }
    self.codecs = all
  }

  /// Returns the codec for the file that begins with `file`.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt`` or ``LoadError/Kind/truncated`` if none matches.
  func codec(for file: ByteView) throws(LoadError) -> any FormatCodec {
    var mayMatch = false
    for codec in codecs {
      switch codec.match(file) {
      case .complete: return codec
      case .partial: mayMatch = true
      case .none: continue
      }
    }
    throw mayMatch
      ? LoadError(.truncated, "the image ends after \(file.count) bytes; load it again")
      : ForeignFormat.error(for: file, known: codecs.map(\.format))
  }

  /// The value of the `Accept` header field. Origins without these formats may send another type, which the error then names.
  var acceptedTypes: String {
    (codecs.map(\.format.mediaType).sorted() + ["*/*;q=0.1"]).joined(separator: ", ")
  }
}
