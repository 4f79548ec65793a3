#if Publishers
  public import Cellophane

  extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// The elements as a publisher, which asks the sequence for as many as its subscriber asked for and never for more. Hence
    /// the end of the sequence is told with the demand after its last element.
    ///
    /// Each subscriber iterates the sequence by itself, in a task on `timeline` that its cancellation cancels.
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
