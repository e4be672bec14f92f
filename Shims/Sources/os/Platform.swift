// `os_unfair_lock` and its functions.
@_exported public import COS

// Apple's os exports the C library, and code that finds os relies on that.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
