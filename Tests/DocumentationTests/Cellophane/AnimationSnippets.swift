#if GIF && WebP
  internal import Cellophane
  internal import CellophaneGIF
  internal import CellophaneWebP

  // The code about animations in Sources/Cellophane/Cellophane.docc/ImageDecoding.md.

  /// A view that shows one image.
  protocol ImageShowing {
    func show(_ image: Image)
  }

  func play(_ request: ImageRequest, from bytes: ByteLoader, in view: some ImageShowing) async throws {
    let images = AnimatedImageDecoder(images: ImageDecoder(codecs: [.png, .jpeg, .gif, .webP]))
    let loader = ResourceLoader(bytes: bytes, decoder: images, memory: MemoryCache(limit: 128 << 20))

    let loaded = try await loader.load(request).value
    view.show(loaded.image)
    if let animation = loaded.animation {
      for try await frame in AnimationPlayback(animation) { view.show(frame.image) }
    }
  }
#endif
