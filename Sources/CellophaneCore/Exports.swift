@_exported public import CellophaneHTTP
