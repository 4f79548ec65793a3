/// A search by its description alone, told step by step, in milliseconds: one that waits, one that runs, what is on screen.
struct SearchOracle {
  private let debounce: Int
  private let answer: (_ request: Int) -> SearchAnswer
  private var text = ""
  private var waiting: (query: String, due: Int)?
  private var running: (query: String, request: Int, ends: Int)?
  /// The query that failed, unless another was cancelled since, and its words.
  private var failure: (query: String?, words: String)?
  private var shown: (query: String, results: String)?
  private var spins = false
  private(set) var requests: [String] = []

  init(debounce: Int, answer: @escaping (_ request: Int) -> SearchAnswer) {
    self.debounce = debounce
    self.answer = answer
  }

  var drawn: String {
    let kept = shown.map { " " + $0.results } ?? ""
    if spins { return "loading" + kept }
    if let failure { return "failed " + failure.words + kept }
    return shown == nil ? "idle" : "results" + kept
  }

  /// When something happens by itself next.
  var next: Int? { [waiting?.due, running?.ends].compactMap(\.self).min() }

  /// What happens by itself until `time`.
  mutating func advance(to time: Int) {
    while true {
      if let next = waiting, next.due <= time {
        waiting = nil
        ask(next.query, at: next.due)
      } else if let ended = running, ended.ends <= time {
        running = nil
        spins = false
        switch answer(ended.request).outcome {
        case .found: shown = (ended.query, "\(ended.query) \(ended.request)")
        case .failed: failure = (ended.query, "no \(ended.request)")
        case .lasting: failure = (ended.query, "no \(ended.request) for good")
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
      let wanted = waiting?.query ?? running?.query ?? failure?.query ?? (spins ? nil : shown?.query)
      text = new
      let query = new.filter { $0 != " " }
      if query.isEmpty {
        (waiting, running, failure, shown, spins) = (nil, nil, nil, nil, false)
      } else if query != wanted {
        (waiting, running) = (nil, nil)
        if query == shown?.query {
          (failure, spins) = (nil, false)
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
      (waiting, running, spins) = (nil, nil, false)
    }
  }

  private mutating func ask(_ query: String, at time: Int) {
    let request = requests.count
    requests.append(query)
    (waiting, failure, spins) = (nil, nil, true)
    running = (query, request, time + answer(request).milliseconds)
  }
}
