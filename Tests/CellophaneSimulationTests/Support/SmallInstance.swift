import Cellophane

@testable import CellophaneResults
@testable import CellophaneSimulation

/// A few images of a few bytes over a few slices, drawn from a seed.
struct SmallInstance {
  let pictures: [Oracle.Picture]
  /// The bytes that the link delivers by the end of each slice.
  let deliverable: [Double]

  init(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    func number(_ name: String, _ id: Int, below limit: UInt64) -> Int { Int(draw.bits(name, id) % limit) }
    let slices = 2 + number("stretches", 0, below: 4)
    pictures = (0..<1 + number("pictures", 0, below: 4)).map { picture in
      let visibleAreas = (0..<slices).compactMap { slice -> ClairvoyantSchedule.VisibleArea? in
        let seen = number("seen", 10 * picture + slice, below: 9)
        return seen > 3 ? ClairvoyantSchedule.VisibleArea(slice: Int32(slice), area: Float(seen)) : nil
      }
      return Oracle.Picture(
        bytes: Double(1 + number("bytes", picture, below: 3)), visibleAreas: visibleAreas[...])
    }
    deliverable = (0..<slices).reduce(into: [Double]()) { deliverable, slice in
      deliverable.append((deliverable.last ?? 0) + Double(number("brought", slice, below: 3)))
    }
  }

  /// The sum of all visible areas.
  var area: Double { pictures.reduce(0) { $1.visibleAreas.reduce($0) { $0 + Double($1.area) } } }

  /// The maximum area that can be shown. Tries every assignment of the delivered bytes to images; an image is shown from
  /// the slice of its last byte on.
  var exactMaxShownArea: Double {
    let arrivals = deliverable.indices.flatMap { slice in
      repeatElement(slice, count: Int(deliverable[slice] - (slice > 0 ? deliverable[slice - 1] : 0)))
    }
    var best: [[Int]: Double] = [pictures.map { Int($0.bytes) }: 0]
    for slice in arrivals {
      var next = best
      for (missing, area) in best {
        for (index, picture) in pictures.enumerated() where missing[index] > 0 {
          var rest = missing
          rest[index] -= 1
          let shown = rest[index] > 0 ? [] : picture.visibleAreas.filter { $0.slice >= slice }
          next[rest] = max(next[rest] ?? 0, shown.reduce(area) { $0 + Double($1.area) })
        }
      }
      best = next
    }
    return best.values.max() ?? 0
  }
}
