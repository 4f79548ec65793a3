/// One value for each priority, stored without an allocation.
package struct PerPriority<Element> {
  private var prefetch: Element
  private var normal: Element
  private var visible: Element

  package init(repeating element: Element) {
    prefetch = element
    normal = element
    visible = element
  }

  package subscript(priority: Priority) -> Element {
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
  package func highest(where predicate: (Element) -> Bool) -> Priority? {
    for priority in [Priority.visible, .normal, .prefetch] where predicate(self[priority]) { return priority }
    return nil
  }
}
