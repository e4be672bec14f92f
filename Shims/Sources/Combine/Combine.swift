// Exports OpenCombine, a public reimplementation of Combine, with its schedulers.
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
