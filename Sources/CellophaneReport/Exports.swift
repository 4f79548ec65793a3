// A report is made from results: `import CellophaneReport` is sufficient for both.
@_exported public import CellophaneResults
