// `import CellophaneTestOrigin` also gives the responses and networks that an origin takes.
@_exported public import CellophaneNetwork
