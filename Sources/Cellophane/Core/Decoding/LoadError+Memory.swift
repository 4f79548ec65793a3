extension LoadError {
  static let noMemoryForPixels = LoadError(
    .imageTooLarge, "no memory is left for the picture; load fewer at once", isRetryable: true)
}
