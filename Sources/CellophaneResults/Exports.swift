// A scenario names a network: `import CellophaneResults` gives its type.
@_exported public import CellophaneNetwork
