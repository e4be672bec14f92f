public import Foundation
import HealthEngine

#if !canImport(ObjectiveC)
    // `date as CVarArg` is how predicates and formats are written against Apple's Foundation, whose
    // bridge boxes values in objects. NSPredicate(format:) here takes them as they are; for
    // `String(format: "%@", …)` an object's description travels as a string and is kept alive
    // through the call, since Foundation on Linux prints few objects and crashes on others.

    extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description, for C's formats; a string is its own.
        public var _cVarArgObject: any CVarArg {
            self as? NSString ?? NSString(string: description)
        }

        /// The object's address.
        public var _cVarArgEncoding: [Int] {
            [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
        }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The description, for C's formats.
        public var _cVarArgObject: any CVarArg { NSString(string: description) }

        /// Reference seconds, for a callee that takes no objects.
        public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
    }

    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The digits, for C's formats.
        public var _cVarArgObject: any CVarArg { NSString(string: uuidString) }

        /// The last eight bytes, for a callee that takes no objects.
        public var _cVarArgEncoding: [Int] {
            [Int(truncatingIfNeeded: Int64(bitPattern: SampleUUID(self).low))]
        }
    }
#endif
