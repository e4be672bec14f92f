#if !canImport(ObjectiveC)
    public import Foundation

    /// A type with associated expression classes, through which ``_Expressions`` names Foundation's
    /// classes without a deprecation warning. Not part of Apple's API.
    public protocol _ExpressionNaming {
        associatedtype Expression
        associatedtype Kind
        associatedtype Comparison
    }

    /// Associates `NSExpression` and `NSComparisonPredicate` with ``_ExpressionNaming``. Not part of
    /// Apple's API.
    ///
    /// Foundation on Linux declares both classes, deprecated and with unavailable members. This
    /// package adds members with the same names, which overload resolution prefers.
    public enum _FoundationExpressions: _ExpressionNaming {
        /// Foundation's class. Deprecated only to suppress the compiler's warning.
        @available(*, deprecated, message: "Write NSExpression")
        public typealias Expression = NSExpression

        /// Foundation's enumeration. Deprecated only to suppress the compiler's warning.
        @available(*, deprecated, message: "Write NSExpression.ExpressionType")
        public typealias Kind = NSExpression.ExpressionType

        /// Foundation's class. Deprecated only to suppress the compiler's warning.
        @available(*, deprecated, message: "Write NSComparisonPredicate")
        public typealias Comparison = NSComparisonPredicate
    }

    /// Gives access to the classes of `Naming` without a deprecation warning. Not part of Apple's
    /// API.
    public struct _Expressions<Naming: _ExpressionNaming> {
        /// The expression class of `Naming`.
        public typealias Expression = Naming.Expression
        /// The kinds of expressions of `Naming`.
        public typealias Kind = Naming.Kind
        /// The comparison class of `Naming`.
        public typealias Comparison = Naming.Comparison
    }

    /// `NSExpression` without a deprecation warning. Not part of Apple's API.
    public typealias _Expression = _Expressions<_FoundationExpressions>.Expression

    /// `NSComparisonPredicate` without a deprecation warning. Not part of Apple's API.
    public typealias _ComparisonPredicate = _Expressions<_FoundationExpressions>.Comparison

    /// Changes the class of an object.
    ///
    /// Foundation's expression classes on Linux have no usable initializer, so neither they nor
    /// their subclasses can be created in the usual way. Their instances have no stored properties
    /// beyond those of `NSObject` and `NSPredicate`. So an instance of a subclass has the layout of
    /// any other class with the same base class and the same stored properties.
    ///
    /// - Parameters:
    ///   - object: A new object that nothing else refers to, of a final class with the layout of
    ///     `type`.
    ///   - type: A final class.
    func reclassified<Object: NSObject>(_ object: NSObject, as type: Object.Type) -> Object {
        Unmanaged.passUnretained(object).toOpaque().storeBytes(
            of: unsafeBitCast(type, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
        return unsafeDowncast(object, to: type)
    }
#endif
