@testable import CellophaneCore
@testable import CellophaneImages

extension Target {
  /// Checks that frames are deterministic and have the size of the canvas.
  func checkAnimation(_ input: [UInt8]) -> Bool {
    let animation: AnimatedImage?
    do throws(LoadError) {
      animation = try AnimatedImage(input, options: ImageOptions(), decoder: .fuzzed)
    } catch {
      let header = Result { () throws(LoadError) in try ImageDecoder.fuzzed.header(of: input) }
      demand(
        (try? header.get()) == nil || error.kind == .imageTooLarge,
        "the frames fail with \(error), and the header does not")
      return true
    }
    guard let animation else { return false }
    demand(
      animation.frameCount > 1 && animation.playCount != 0, "an animation of \(animation.frameCount) frames")
    demand(animation.delays.allSatisfy { $0 >= .milliseconds(11) }, "a delay is below 11 ms")
    // 20: the first frames reach all code, and an input has at most some milliseconds for each.
    let count = min(animation.frameCount, 20)
    let (first, second) = (frames(of: animation, count), frames(of: animation, count))
    demand(first == second, "the frames of two rounds differ")
    for case .picture(let image) in first {
      demand(
        image.width == animation.size.width && image.height == animation.size.height,
        "a frame of \(image.width)x\(image.height) on a canvas of \(animation.size)")
    }
    return true
  }

  /// Returns the first frames, up to the first error.
  private func frames(of animation: AnimatedImage, _ count: Int) -> [Outcome] {
    var frames = animation.makeFrames()
    var outcomes: [Outcome] = []
    while outcomes.count < count {
      let outcome = Outcome { () throws(LoadError) in try frames.next() }
      outcomes.append(outcome)
      if outcome.picture == nil { break }
    }
    return outcomes
  }
}
