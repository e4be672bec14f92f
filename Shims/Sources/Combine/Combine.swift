// Combine by its own name: OpenCombine, a public re-implementation, with its schedulers.
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
