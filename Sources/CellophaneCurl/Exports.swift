@_exported public import CellophaneCore
