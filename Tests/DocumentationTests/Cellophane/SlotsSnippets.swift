internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Slots.md.

@MainActor protocol ThumbnailView: AnyObject {
  var image: Image? { get set }
  var isLoading: Bool { get set }
  func show(_ message: String, canRetry: Bool)
}

@MainActor final class CoverCell<View: ThumbnailView> {
  private let slot: Slot<ImageDecoder>

  init(_ images: ImageLoader, in view: View) {
    slot = Slot(images, placeholder: .previous, showsPreviews: true) { [weak view] state in
      view?.image = state.value
      switch state {
      case .empty, .shown: view?.isLoading = false
      case .loading, .preview: view?.isLoading = true
      case .failed(let error, _):
        view?.isLoading = false
        view?.show(error.message, canRetry: error.isRetryable)
      }
    }
  }

  func show(_ request: ImageRequest?) { slot.show(request) }
  func retry() { slot.retry() }
}

actor Thumbnail {
  private let images: ImageLoader
  private(set) var picture: Image?
  private lazy var slot = Slot(images, owner: self) { $0.picture = $1.value }

  init(_ images: ImageLoader) { self.images = images }

  func show(_ request: ImageRequest?) { slot.show(request) }
  func retry() { slot.retry() }
}

struct CellIndex: Hashable, Sendable {
  let section: Int
  let row: Int
}

@MainActor final class SlotGrid {
  private let slots: SlotTable<CellIndex, ImageDecoder>

  init(_ images: ImageLoader) { slots = SlotTable(images) }

  func show(_ request: ImageRequest, at index: CellIndex) { slots.show(request, for: index) }
  func hide(_ index: CellIndex) { slots.show(nil, for: index) }

  /// Draws every change until the task is cancelled.
  func draw(_ cell: (CellIndex, SlotState<Image>) -> Void) async {
    for await change in slots.changes() { cell(change.key, change.state) }
  }
}

@MainActor protocol PhotoView: AnyObject {
  var image: Image? { get set }
  func offerRetry(_ message: String)
}

/// A photo as a server describes it.
struct Photo {
  static let size = PixelSize(width: 96, height: 96)
  static let look: [ImageProcessing] = [.blur(radius: 2), .grayscale, .roundedCorners(radius: 12)]
  let url: String
  let thumbHash: String

  func request(_ priority: Priority) -> ImageRequest? {
    try? ImageRequest(
      url, size: Self.size, mode: .fill, processors: Self.look, priority: priority)
  }

  var placeholder: Image? {
    let fill = ImageProcessing.resize(to: Self.size, mode: .fill, enlarges: true)
    return try? ThumbHash(base64: thumbHash).image().processed(by: [fill] + Self.look)
  }
}

/// A reused cell.
@MainActor final class PhotoCell {
  private let slot: Slot<ImageDecoder>

  init(_ images: ImageLoader, in view: any PhotoView) {
    slot = Slot(images, showsPreviews: true) { [weak view] state in
      view?.image = state.value
      if case .failed(let error, _) = state { view?.offerRetry(error.message) }
    }
  }

  func show(_ photo: Photo?, _ priority: Priority = .visible) {
    slot.show(photo?.request(priority), placeholder: photo?.placeholder)
  }

  func retry() { slot.retry() }
  var progress: LoadProgressUpdates { slot.progress }
}

@MainActor func prefetch(_ next: [Photo], onScreen: [Photo]) {
  let images = ImageLoader(directory: "/var/cache/gallery")
  let prefetcher = Prefetcher(images)
  prefetcher.show(
    next.compactMap { $0.request(.prefetch) }, visible: onScreen.compactMap { $0.request(.visible) })
}
