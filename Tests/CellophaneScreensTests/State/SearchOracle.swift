/// An independent model of a search, driven step by step, with times in milliseconds. It has a waiting search,
/// a running search and the state on screen.
struct SearchOracle {
  private let debounce: Int
  private let answer: (_ request: Int) -> SearchAnswer
  private var text = ""
  private var waiting: (query: String, due: Int)?
  private var running: (query: String, request: Int, ends: Int)?
  /// The failed query, nil if another one was cancelled since, and its message.
  private var failure: (query: String?, message: String)?
  private var shown: (query: String, results: String)?
  private var isLoading = false
  private(set) var requests: [String] = []

  init(debounce: Int, answer: @escaping (_ request: Int) -> SearchAnswer) {
    self.debounce = debounce
    self.answer = answer
  }

  var drawn: String {
    let kept = shown.map { " " + $0.results } ?? ""
    if isLoading { return "loading" + kept }
    if let failure { return "failed " + failure.message + kept }
    return shown == nil ? "idle" : "results" + kept
  }

  /// The time of the next event.
  var next: Int? { [waiting?.due, running?.ends].compactMap(\.self).min() }

  /// Handles the events until `time`.
  mutating func advance(to time: Int) {
    while true {
      if let next = waiting, next.due <= time {
        waiting = nil
        ask(next.query, at: next.due)
      } else if let ended = running, ended.ends <= time {
        running = nil
        isLoading = false
        switch answer(ended.request).outcome {
        case .found: shown = (ended.query, "\(ended.query) \(ended.request)")
        case .failed: failure = (ended.query, "no \(ended.request)")
        case .permanent: failure = (ended.query, "no \(ended.request) permanently")
        case .gaveUp: break
        }
      } else {
        return
      }
    }
  }

  mutating func take(_ step: SearchStep, at time: Int) {
    advance(to: time)
    let query = text.filter { $0 != " " }
    switch step {
    case .text(let new):
      let wanted = waiting?.query ?? running?.query ?? failure?.query ?? (isLoading ? nil : shown?.query)
      text = new
      let query = new.filter { $0 != " " }
      if query.isEmpty {
        (waiting, running, failure, shown, isLoading) = (nil, nil, nil, nil, false)
      } else if query != wanted {
        (waiting, running) = (nil, nil)
        if query == shown?.query {
          (failure, isLoading) = (nil, false)
        } else {
          waiting = (query, time + debounce)
        }
      }
    case .submit:
      if query.isEmpty { break }
      if waiting == nil, running != nil || (failure == nil && shown?.query == query) { break }
      ask(query, at: time)
    case .retry: if failure != nil, !query.isEmpty { ask(query, at: time) }
    case .cancel:
      if waiting != nil { failure?.query = nil }
      (waiting, running, isLoading) = (nil, nil, false)
    }
  }

  private mutating func ask(_ query: String, at time: Int) {
    let request = requests.count
    requests.append(query)
    (waiting, failure, isLoading) = (nil, nil, true)
    running = (query, request, time + answer(request).milliseconds)
  }
}
