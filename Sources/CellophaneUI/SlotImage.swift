#if canImport(SwiftUI)
  public import Cellophane
  internal import CoreGraphics
  internal import Observation
  public import SwiftUI

  /// A picture of a row: a view that is a slot. It fills the place that it is given.
  ///
  /// Not tested, because it needs SwiftUI: what is more than to hand over belongs into `Slot`.
  public struct SlotImage<Placeholder: View>: View {
    private let request: ImageRequest?
    private let placeholder: Placeholder
    @State private var model: SlotImageModel

    /// A view of what `request` gives, by `loader`, which stays the first that it was given, and of `placeholder` as long as
    /// there is nothing else to show.
    public init(
      _ request: ImageRequest?, from loader: ImageLoader, @ViewBuilder placeholder: () -> Placeholder
    ) {
      self.request = request
      self.placeholder = placeholder()
      _model = State(initialValue: SlotImageModel(loader))
    }

    /// The picture or the placeholder.
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

  /// What one view shows, observed.
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
