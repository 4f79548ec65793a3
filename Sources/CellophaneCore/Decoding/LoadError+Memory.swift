extension LoadError {
  package static let noMemoryForPixels = LoadError(
    .imageTooLarge, "not enough memory for the image; load fewer images at once", isRetryable: true)
}
