public import Foundation

#if !canImport(ObjectiveC)
    /// Calls a closure and returns its result. There are no autorelease pools on Linux.
    ///
    /// - Parameter body: The closure.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func autoreleasepool<Result, Failure: Error>(
        invoking body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }
#endif

#if !canImport(ObjectiveC)
    // Code for Apple's platforms passes `date as CVarArg` to predicates and formats. There, the
    // bridge to Objective-C converts values to objects. `NSPredicate(format:)` of this package
    // accepts these values directly. For `String(format: "%@", …)`, the description of an object is
    // passed as a string, because Foundation on Linux can format only a few kinds of objects and
    // crashes on others.

    extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string object, for C formats; for a string, the string itself.
        public var _cVarArgObject: any CVarArg {
            self as? NSString ?? NSString(string: description)
        }

        /// The address of the object.
        public var _cVarArgEncoding: [Int] {
            [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
        }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description as a string object, for C formats.
        public var _cVarArgObject: any CVarArg { NSString(string: description) }

        /// Seconds since 2001-01-01T00:00:00Z, for a callee that does not accept objects.
        public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
    }

    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The UUID's text as a string object, for C formats.
        public var _cVarArgObject: any CVarArg { NSString(string: uuidString) }

        /// The last eight bytes, for a callee that does not accept objects.
        public var _cVarArgEncoding: [Int] {
            withUnsafeBytes(of: uuid) { bytes in
                [bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) }]
            }
        }
    }
#endif
