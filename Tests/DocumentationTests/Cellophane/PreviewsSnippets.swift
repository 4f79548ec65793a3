internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Previews.md.

@MainActor final class PreviewCell {
  private let slot: Slot<ImageDecoder>

  init(_ images: ImageLoader, draw: @escaping (Image?, _ isFinal: Bool) -> Void) {
    slot = Slot(images, showsPreviews: true) { state in
      switch state {
      case .preview(let image): draw(image, false)
      case .shown(let image, _): draw(image, true)
      case .empty, .loading, .failed: draw(nil, true)
      }
    }
  }

  func show(_ request: ImageRequest?) { slot.show(request) }
}

/// Loads an image and passes on each preview.
func loadWithPreviews(
  _ request: ImageRequest, from images: ImageLoader, preview: @escaping @Sendable (Image) -> Void
) async throws(LoadError) -> Image {
  try await images.load(request) { preview($0) }.value
}
