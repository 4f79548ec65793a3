/// One value for each priority, stored without an allocation. Inlinable, because the scheduler reads it for
/// each request.
@frozen @usableFromInline package struct PerPriority<Element> {
  @usableFromInline var prefetch: Element
  @usableFromInline var normal: Element
  @usableFromInline var visible: Element

  @inlinable package init(repeating element: Element) {
    prefetch = element
    normal = element
    visible = element
  }

  @inlinable package subscript(priority: Priority) -> Element {
    get {
      switch priority {
      case .prefetch: prefetch
      case .normal: normal
      case .visible: visible
      }
    }
    set {
      switch priority {
      case .prefetch: prefetch = newValue
      case .normal: normal = newValue
      case .visible: visible = newValue
      }
    }
  }

  /// Returns the most urgent priority whose element satisfies `predicate`.
  @inlinable package func highest(where predicate: (Element) -> Bool) -> Priority? {
    for priority in [Priority.visible, .normal, .prefetch] where predicate(self[priority]) { return priority }
    return nil
  }
}
