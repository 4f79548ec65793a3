/// A 3x3 matrix, stored as columns.
struct Matrix3 {
  private let columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    columns = (first, second, third)
  }

  static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    let (first, second, third) = matrix.columns
    return first * vector.x + second * vector.y + third * vector.z
  }

  /// The inverse; nil if the matrix is singular or the result is not finite.
  var inverse: Matrix3? {
    let (first, second, third) = columns
    let rows = (Self.cross(second, third), Self.cross(third, first), Self.cross(first, second))
    let determinant = (first * rows.0).sum()
    guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
    let (x, y, z) = (rows.0 / determinant, rows.1 / determinant, rows.2 / determinant)
    return Matrix3([x.x, y.x, z.x], [x.y, y.y, z.y], [x.z, y.z, z.z])
  }

  private static func cross(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> SIMD3<Double> {
    [
      one.y * other.z - one.z * other.y, one.z * other.x - one.x * other.z, one.x * other.y - one.y * other.x,
    ]
  }
}
