#if canImport(SwiftUI)
  public import Cellophane
  internal import CoreGraphics
  internal import Observation
  public import SwiftUI

  /// A view that shows the image of a request through a `Slot`. It fills the proposed size.
  ///
  /// Not tested, because it needs SwiftUI. Logic belongs in `Slot`; this view only passes requests and states on.
  public struct SlotImage<Placeholder: View>: View {
    private let request: ImageRequest?
    private let placeholder: Placeholder
    @State private var model: SlotImageModel

    /// Creates a view of `request`.
    ///
    /// - Parameters:
    ///   - request: The request of the image; nil shows the placeholder.
    ///   - loader: The loader of the image. The view keeps its first loader.
    ///   - placeholder: The view without an image.
    public init(
      _ request: ImageRequest?, from loader: ImageLoader, @ViewBuilder placeholder: () -> Placeholder
    ) {
      self.request = request
      self.placeholder = placeholder()
      _model = State(initialValue: SlotImageModel(loader))
    }

    /// The image or the placeholder.
    public var body: some View {
      ZStack {
        if let picture = model.picture {
          SwiftUI.Image(decorative: picture, scale: 1).resizable()
        } else {
          placeholder
        }
      }
      .onAppear { model.show(request) }
      .onChange(of: request?.key) { model.show(request) }
      .onDisappear { model.show(nil) }
    }
  }

  /// The observable image of one view.
  @MainActor @Observable
  private final class SlotImageModel {
    private(set) var picture: CGImage?
    @ObservationIgnored private var slot: Slot<ImageDecoder>?

    init(_ loader: ImageLoader) {
      slot = Slot(loader, showsPreviews: true) { [weak self] state in self?.picture = state.value?.cgImage }
    }

    func show(_ request: ImageRequest?) { slot?.show(request) }
  }
#endif
