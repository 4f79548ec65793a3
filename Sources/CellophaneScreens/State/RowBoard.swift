internal import Cellophane

/// The status of the slots of a list. A separate object, because the slots' displays write to it.
final class RowBoard {
  private struct Status {
    /// The number of the binding, different for each; 0 while unbound.
    var binding = 0
    /// True once the binding was reported.
    var isReported = false
    /// True until the row's request is known, and again when it must be asked for anew.
    var isPending = false
    /// The priority of the request; nil without a request.
    var priority: Priority?
    var isLoading = false
  }

  private(set) var bindings: RowBindings
  /// The number of times all bindings were removed.
  private(set) var generation = 0
  /// The number of slots that load.
  private(set) var loading = 0
  /// The number of slots whose rows must be asked for their requests.
  private(set) var pending = 0
  private var statuses: [Status]
  private var bound = 0

  /// Creates `count` unbound slots.
  init(count: Int) {
    bindings = RowBindings(count: count)
    statuses = Array(repeating: Status(), count: bindings.rows.count)
  }

  /// Binds a slot to each row of `visible`; see ``RowBindings/show(_:)``.
  func show(_ visible: Range<Int>) {
    let changes = bindings.show(visible)
    while statuses.count < bindings.rows.count { statuses.append(Status()) }
    for change in changes {
      bound += 1
      statuses[change.slot].binding = bound
      statuses[change.slot].isReported = false
      statuses[change.slot].priority = nil
      setPending(change.slot)
    }
  }

  /// Removes all bindings, and the record of loading slots.
  func removeAll(count: Int?) {
    generation += 1
    bindings.removeAll(count: count)
    statuses = Array(repeating: Status(), count: bindings.rows.count)
    (loading, pending) = (0, 0)
  }

  /// Returns the number of the binding of `slot`. It differs for another row, and for the same row after all
  /// bindings were removed.
  func binding(of slot: Int) -> Int { statuses.indices.contains(slot) ? statuses[slot].binding : 0 }

  func isBound(_ slot: Int) -> Bool { binding(of: slot) > 0 }

  /// Takes a slot whose row must be asked for its request. Returns false for any other slot, and for a slot
  /// that is already taken.
  func take(_ slot: Int) -> Bool {
    guard statuses[slot].isPending else { return false }
    statuses[slot].isPending = false
    pending -= 1
    return true
  }

  /// Marks the row of `slot` as not yet asked.
  func setPending(_ slot: Int) {
    if !statuses[slot].isPending { pending += 1 }
    statuses[slot].isPending = true
  }

  func isPending(_ slot: Int) -> Bool { statuses[slot].isPending }

  /// Marks the binding of `slot` as reported. Returns false if it was reported before.
  func markReported(_ slot: Int) -> Bool {
    defer { statuses[slot].isReported = true }
    return !statuses[slot].isReported
  }

  func isReported(_ slot: Int) -> Bool { statuses[slot].isReported }

  /// Marks the rows without a request as not yet asked.
  func setNeedsRequests() {
    for slot in statuses.indices where isBound(slot) && isIdle(slot) { setPending(slot) }
  }

  /// Notes that `slot` requests an image with this priority, or none.
  func begin(_ slot: Int, priority: Priority?) { statuses[slot].priority = priority }

  func note(isLoading: Bool, in slot: Int) {
    guard statuses[slot].isLoading != isLoading else { return }
    statuses[slot].isLoading = isLoading
    loading += isLoading ? 1 : -1
  }

  /// Returns the priority of the request that loads in `slot`; nil if none does.
  func priority(in slot: Int) -> Priority? { statuses[slot].isLoading ? statuses[slot].priority : nil }

  /// Returns true if `slot` has no request.
  func isIdle(_ slot: Int) -> Bool { statuses[slot].priority == nil }
}
