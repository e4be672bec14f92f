import SwiftSyntax

/// The parts of a symbol: the type that contains it, its own name and its argument labels.
struct MemberKey: Hashable, Sendable {
    /// The name of the innermost type that contains the symbol: "Unit" in HKQuantity.Unit. Nil at
    /// file level.
    let owner: String?
    let name: String
    /// The labels: "(unit:doubleValue:)". Nil for properties, constants and enum cases.
    let labels: String?

    init(owner: String?, name: String, labels: String?) {
        (self.owner, self.name, self.labels) = (owner, name, labels)
    }

    /// Parses a symbol as written in Documentation/Compatibility.md:
    /// "HKQuantity.doubleValue(for:)".
    init(symbol: String) {
        let bare = symbol.prefix { $0 != "(" }
        let parts = bare.split(separator: ".").map(String.init)
        owner = parts.count > 1 ? parts[parts.count - 2] : nil
        name = parts.last ?? ""
        labels = symbol.contains("(") ? String(symbol.dropFirst(bare.count)) : nil
    }
}

/// A declaration in a file, with the change that breaks it.
struct Member: Sendable {
    let path: String
    let key: MemberKey
    /// The change that breaks the declaration; nil if it has no body or value that a known change
    /// applies to.
    let edit: SourceChange?
}

/// A change to a file: the range of UTF-8 bytes to replace, the new text and a description.
struct SourceChange: Sendable {
    let range: Range<AbsolutePosition>
    let replacement: String
    let summary: String
    /// The same change behind a condition; nil if there is no such form.
    var switched: SwitchedChange?
}

/// A change that takes effect only if a condition is true, so that one build can contain many.
struct SwitchedChange: Sendable {
    /// The condition in a replacement. The symbol to break is inserted later.
    static let condition = condition(of: "")

    let range: Range<AbsolutePosition>
    let replacement: String
    /// The text that selects the change; nil for the symbol.
    var key: String?

    /// Returns the expression that is true if a key is selected.
    static func condition(of key: String) -> String { "_isBroken(\"\(key)\")" }
}

/// Collects the functions, initializers, properties and enum cases of a file, in types and at file
/// level.
final class MemberSearch: SyntaxVisitor {
    private let path: String
    private(set) var members: [Member] = []

    init(path: String) {
        self.path = path
        super.init(viewMode: .sourceAccurate)
    }

    // Declarations in functions, closures and accessors aren't symbols.
    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let body = node.body.map { BreakableBody($0, returns: node.signature.returnClause?.type) }
        add(
            node.name, labels: node.signature.parameterClause,
            body?.edit(mutating: node.signature.parameterClause), at: node)
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        let body = node.body.map { BreakableBody($0, returns: nil) }
        add(
            node.initKeyword, labels: node.signature.parameterClause,
            body?.edit(mutating: node.signature.parameterClause), at: node)
        return .skipChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        for binding in node.bindings {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
            else { continue }
            add(name, labels: nil, edit(of: binding), at: node)
        }
        return .skipChildren
    }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        var edit = node.rawValue.flatMap { LiteralSearch.edit(in: $0) }
        edit?.switched = node.parent?.nearest { $0.as(EnumDeclSyntax.self) }
            .flatMap { SwitchedRawValue(node, in: $0)?.change }
        add(node.name, labels: nil, edit, at: node)
        return .skipChildren
    }

    private func edit(of binding: PatternBindingSyntax) -> SourceChange? {
        if let value = binding.initializer {
            // The changed literal would have two characters, which isn't a `Character`.
            let type = binding.typeAnnotation?.type.trimmedDescription
            return type == "Character" ? nil : LiteralSearch.edit(in: value)
        }
        let type = binding.typeAnnotation?.type
        switch binding.accessorBlock?.accessors {
        case .getter(let statements):
            return BreakableBody(statements, returns: type).edit(mutating: nil)
        case .accessors(let accessors):
            let getter = accessors.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }
            return getter?.body.flatMap { BreakableBody($0, returns: type).edit(mutating: nil) }
        case nil: return nil
        }
    }

    private func add(
        _ name: TokenSyntax, labels clause: FunctionParameterClauseSyntax?, _ edit: SourceChange?,
        at node: some SyntaxProtocol
    ) {
        let labels = clause.map { clause in
            "(" + clause.parameters.map { $0.firstName.text + ":" }.joined() + ")"
        }
        let bare = name.text.filter { $0 != "`" }
        let key = MemberKey(owner: owner(of: node), name: bare, labels: labels)
        members.append(Member(path: path, key: key, edit: edit))
    }

    /// Returns the name of the type that contains a node: "Unit" for `extension HKQuantity.Unit`.
    /// Nil at file level.
    private func owner(of node: some SyntaxProtocol) -> String? {
        let group = node.parent?.nearest { around in
            around.asProtocol((any DeclGroupSyntax).self)
        }
        if let named = group?.asProtocol((any NamedDeclSyntax).self) { return named.name.text }
        return group?.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
            .split(separator: ".").last.map(String.init)
    }
}
