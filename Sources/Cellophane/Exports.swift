// `import Cellophane` is all that an application needs.
@_exported public import CacheEviction
@_exported public import CellophaneCore
@_exported public import CellophaneCurl
@_exported public import CellophaneDisk
@_exported public import CellophaneHTTP
@_exported public import CellophaneImages
