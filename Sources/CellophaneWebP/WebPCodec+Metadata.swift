#if WebP
  internal import CellophaneImages

  extension WebPCodec {
    /// Removes EXIF, XMP and unknown chunks. The flags of VP8X follow, and so does the size in the head of the file.
    func stripped(_ file: [UInt8], exif: [UInt8]?) -> [UInt8] {
      let view = ByteView(file)
      var chunks: [UInt8] = []
      for (name, content) in WebPChunks(view) {
        guard content.upperBound <= file.count else {
          // A truncated file remains truncated.
          if name.hasPixels { chunks += file[(content.lowerBound - 8)...] }
          break
        }
        guard name.affectsPixels else { continue }
        let start = chunks.count
        chunks += file[content.lowerBound - 8..<content.upperBound]
        if content.count % 2 == 1 { chunks.append(0) }
        if name == .extended, content.count > 0 {
          // Bit 3: EXIF, bit 2: XMP.
          chunks[start + 8] = chunks[start + 8] & ~0x0C | (exif == nil ? 0 : 0x08)
        }
      }
      // Only a file with VP8X can have EXIF, and an orientation.
      if let exif, WebPChunks(view).first(where: { _ in true })?.name == .extended {
        chunks += WebPContainer.chunk("EXIF", exif)
      }
      return WebPContainer.file(chunks)
    }
  }

  extension WebPChunks.Name {
    /// True for a chunk that affects the display of the pixels.
    fileprivate var affectsPixels: Bool { hasPixels || [.extended, .profile, .animation].contains(self) }
  }
#endif
