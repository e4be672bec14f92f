public import Foundation

#if !canImport(ObjectiveC)
    // `date as CVarArg` is how predicates and formats are written against Apple's Foundation, whose
    // bridge boxes values in objects. NSPredicate(format:) here takes them as they are; these
    // encodings serve C's own formats: `String(format: "%@", date as CVarArg)`.

    extension NSObject: @retroactive CVarArg {
        /// The object's address. The object must outlive the call, as every `%@` asks.
        public var _cVarArgEncoding: [Int] {
            [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
        }
    }

    extension Date: @retroactive CVarArg {
        /// The address of an `NSDate`, which lives on: nothing tells when the callee is done.
        public var _cVarArgEncoding: [Int] { NSDate.kept(self as NSDate) }
    }

    extension UUID: @retroactive CVarArg {
        /// The address of an `NSUUID`, which lives on: nothing tells when the callee is done.
        public var _cVarArgEncoding: [Int] { NSUUID.kept(self as NSUUID) }
    }

    extension NSObject {
        fileprivate static func kept(_ object: NSObject) -> [Int] {
            [Int(bitPattern: Unmanaged.passRetained(object).toOpaque())]
        }
    }
#endif
