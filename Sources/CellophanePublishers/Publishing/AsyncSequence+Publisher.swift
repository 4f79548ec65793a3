#if Publishers
  public import Cellophane

  extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Returns a publisher of the elements. It requests as many elements of the sequence as its subscriber demands, and never
    /// more. It therefore finishes at the demand after the last element.
    ///
    /// Each subscriber iterates the sequence separately, in a task that ends with the subscription.
    ///
    /// - Parameters:
    ///   - timeline: The timeline on which the task runs.
    ///   - priority: The priority of the task.
    public func publisher(on timeline: Timeline, priority: TaskPriority? = nil) -> TaskPublisher<
      Element, Failure
    > {
      TaskPublisher(on: timeline, priority: priority) { subscription in
        var elements = makeAsyncIterator()
        do throws(Failure) {
          while await subscription.hasDemand() {
            guard let element = try await elements.next(isolation: #isolation) else { break }
            subscription.send(element)
          }
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    }
  }
#endif
