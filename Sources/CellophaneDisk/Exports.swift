@_exported public import CellophaneCore
@_exported public import CellophaneHTTP
