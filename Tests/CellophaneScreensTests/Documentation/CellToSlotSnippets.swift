internal import Cellophane
internal import CellophaneScreens
internal import Dispatch
internal import Observation

// The code of Sources/CellophaneScreens/CellophaneScreens.docc/FromCellToSlot.md.

protocol PictureService: Sendable {
  func picture(_ url: String, completion: @escaping @Sendable (Image?) -> Void)
}

@MainActor final class PictureCellBefore {
  private var url: String?
  private(set) var picture: Image?

  func show(_ url: String, from service: some PictureService) {
    self.url = url
    picture = nil
    service.picture(url) { image in
      DispatchQueue.main.async { [weak self] in
        // Without this line, the cell shows the image of another row.
        guard let self, self.url == url else { return }
        self.picture = image
      }
    }
  }
}

@MainActor final class PictureCell {
  private let slot: Slot<ImageDecoder>

  init(_ images: ImageLoader, draw: @escaping (SlotState<Image>) -> Void) {
    slot = Slot(images, display: draw)
  }

  func show(_ request: ImageRequest?) { slot.show(request) }
  func retry() { slot.retry() }
}

struct Book: Sendable {
  let title: String
  let cover: String
}

@MainActor final class BookList {
  let model: ListModel<Book, Int, ImageDecoder>
  /// The position of the list.
  private var place = (offset: 0.0, velocity: 0.0, height: 0.0)

  init(
    _ books: some PagingSource<Book, Int>, _ images: ImageLoader,
    draw: @escaping (_ slot: Int, _ row: Int, SlotState<Image>) -> Void
  ) {
    model = ListModel(pages: PagingModel(books), rows: RowSlots(images, display: draw)) { book in
      try? ImageRequest(book.cover, size: PixelSize(width: 96, height: 144))
    }
    follow()
  }

  /// Call with every change of the offset.
  func didScroll(to offset: Double, velocity: Double, height: Double) {
    place = (offset, velocity, height)
    move()
  }

  private func move() {
    let rows = EvenRows(count: model.pages.state.items.count, height: 144)
    model.scroll(ListMotion(rows, viewport: place.height, offset: place.offset, velocity: place.velocity))
  }

  /// Moves the list again whenever the items change.
  private func follow() {
    withObservationTracking {
      _ = model.pages.state.items
    } onChange: { [weak self] in
      // Called before the change takes effect.
      Task { @MainActor in
        self?.move()
        self?.follow()
      }
    }
  }
}
