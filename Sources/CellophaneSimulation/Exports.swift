// `import CellophaneSimulation` also gives the scenarios and the results.
@_exported public import CellophaneResults
