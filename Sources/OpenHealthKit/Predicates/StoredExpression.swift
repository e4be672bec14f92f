#if !canImport(ObjectiveC)
    import Foundation

    /// An expression with its content.
    protocol ExpressionContentOwner: NSObject {
        var content: ExpressionContent { get }
    }

    extension ExpressionContent {
        /// A new expression with the content.
        var expression: _Expression {
            reclassified(
                ExpressionStorage(self), as: _Expressions<StoredExpressions>.Expression.self)
        }
    }

    /// Associates the subclasses of Foundation's classes with ``_ExpressionNaming``.
    enum StoredExpressions: _ExpressionNaming {
        @available(*, deprecated, message: "Only to suppress the compiler's warning")
        typealias Expression = StoredExpression

        @available(*, deprecated, message: "Only to suppress the compiler's warning")
        typealias Kind = NSExpression.ExpressionType

        @available(*, deprecated, message: "Only to suppress the compiler's warning")
        typealias Comparison = StoredComparison
    }

    /// The content of an expression as an object, so that ``ExpressionStorage`` and
    /// ``StoredExpression`` have one stored property of the same size.
    private final class ContentBox {
        let content: ExpressionContent
        init(_ content: ExpressionContent) { self.content = content }
    }

    /// An object with the layout of ``StoredExpression`` that can be created.
    private final class ExpressionStorage: NSObject {
        private var box: ContentBox?

        init(_ content: ExpressionContent) { box = ContentBox(content) }
    }

    /// The subclass of all expressions of this package. Deprecated only because its superclass is.
    @available(*, deprecated, message: "Write NSExpression")
    final class StoredExpression: NSExpression, ExpressionContentOwner {
        private var box: ContentBox?

        var content: ExpressionContent { box?.content ?? .constant(nil) }

        override var description: String { content.text }

        override func copy(with zone: NSZone? = nil) -> Any { self }

        override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? StoredExpression else { return false }
            return content.text == other.content.text
                && (try? content.operand()) == (try? other.content.operand())
        }

        override var hash: Int { content.text.hashValue }
    }
#endif
