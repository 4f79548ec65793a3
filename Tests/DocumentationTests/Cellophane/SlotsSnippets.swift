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
  var progress: Double? { get set }
  func offerRetry(_ message: String)
}

/// A photo as a server describes it.
struct Photo {
  let url: String
  let thumbHash: String

  func request(_ priority: Priority) -> ImageRequest? {
    try? ImageRequest(
      url, size: PixelSize(width: 96, height: 96), mode: .fill,
      processors: [.blur(radius: 2), .grayscale, .roundedCorners(radius: 12)], priority: priority)
  }
}

/// A reused cell.
@MainActor final class PhotoCell {
  private let slot: Slot<ImageDecoder>
  private weak var view: (any PhotoView)?

  init(_ images: ImageLoader, in view: any PhotoView) {
    self.view = view
    slot = Slot(images, showsPreviews: true) { [weak view] state in
      view?.image = state.value
      if case .failed(let error, _) = state { view?.offerRetry(error.message) }
    }
  }

  func show(_ photo: Photo, _ priority: Priority) async {
    let blurred = try? ThumbHash(base64: photo.thumbHash).image()
    slot.show(photo.request(priority), placeholder: try? blurred?.processed(by: [.grayscale]))
    for await progress in slot.progress { view?.progress = progress.fraction }
  }

  func retry() { slot.retry() }
  func prepareForReuse() { slot.show(nil) }
}

@MainActor func prefetch(_ next: [Photo], onScreen: [Photo]) {
  let images = ImageLoader(directory: "/var/cache/gallery")
  let prefetcher = Prefetcher(images)
  prefetcher.show(
    next.compactMap { $0.request(.prefetch) }, visible: onScreen.compactMap { $0.request(.visible) })
}
