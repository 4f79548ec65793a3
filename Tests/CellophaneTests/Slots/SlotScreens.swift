@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport

/// A screen with one slot.
actor Screen {
  private var slot: Slot<NumberDecoder>?
  private let log: Shared<[String]>
  /// The states passed to the display, in order.
  nonisolated var states: [String] { log.value }

  init(
    _ world: NumberWorld, placeholder: Slot<NumberDecoder>.Placeholder = .blank, showsPreviews: Bool = false,
    drawing: TimeDrawing? = nil
  ) {
    let log = Shared<[String]>([])
    self.log = log
    slot = Slot(world.loader, placeholder: placeholder, showsPreviews: showsPreviews) { state in
      log.update { $0.append(state.text) }
      drawing?.mark("slot", state.mark)
    }
  }

  /// Shows `request`. Returns the state of the slot directly after the call.
  @discardableResult
  func show(_ request: NumberRequest?) -> String? {
    slot?.show(request)
    return slot?.state.text
  }

  func retry() { slot?.retry() }
  func release() { slot = nil }
}

/// A screen that binds its slot again in the first call of the display.
actor ReentrantScreen {
  private var slot: Slot<NumberDecoder>?
  private var next: NumberRequest??
  private(set) var last = ""

  func start(_ world: NumberWorld, next: NumberRequest?) {
    self.next = .some(next)
    let slot = Slot(world.loader) { [weak self] state in
      self?.assumeIsolated { $0.display(state) }
    }
    self.slot = slot
    slot.show(NumberRequest(1))
  }

  private func display(_ state: SlotState<Int>) {
    last = state.text
    guard let next else { return }
    self.next = nil
    slot?.show(next)
  }
}

/// A screen on an executor that the test controls.
actor ManualScreen {
  private let executor: ManualExecutor
  private let slot: Slot<NumberDecoder>
  private let log = Shared<[String]>([])
  nonisolated var states: [String] { log.value }
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(_ world: NumberWorld, executor: ManualExecutor) {
    self.executor = executor
    slot = Slot(world.loader) { [log] state in log.update { $0.append(state.text) } }
  }

  func show(_ request: NumberRequest?) { slot.show(request) }
}

extension SlotState where Value == Int {
  /// The state as text.
  var text: String {
    switch self {
    case .empty: "empty"
    case .loading(let previous): previous.map { "loading over \($0)" } ?? "loading"
    case .preview(let value): "preview \(value)"
    case .shown(let value, let source): "\(value) from \(source)"
    case .failed(let error, _): "failed \(error.kind.rawValue)"
    }
  }

  /// The state in a drawing: the last digit of a value, `~` for the previous value, `?` for a placeholder.
  var mark: Character {
    switch self {
    case .empty: " "
    case .loading(let previous): previous == nil ? "?" : "~"
    case .preview(let value), .shown(let value, _): "\(value)".last ?? "?"
    case .failed: "!"
    }
  }
}
