internal import Cellophane

extension DecodingCalibration {
  /// Returns the costs as a text table with a final line break.
  package func table() -> String {
    let edges = SimulationConfiguration.Decoding.classes.map { "up to \(Int(Double($0).squareRoot()))²" }
    var lines = [
      TextTable.line(["pixels", "measured with", "PNG ms/Mpx", "JPEG ms/Mpx"], widths: Self.widths)
    ]
    for (index, name) in (edges + ["more"]).enumerated() {
      let (png, jpeg) = (costs[2 * index], costs[2 * index + 1])
      lines.append(
        TextTable.line(
          [
            name, "\(png.size.width)x\(png.size.height)",
            Quantity.decimal(png.millisecondsPerMegapixel, places: 2),
            Quantity.decimal(jpeg.millisecondsPerMegapixel, places: 2),
          ], widths: Self.widths))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let widths = [14, 14, 14, 14]
}
