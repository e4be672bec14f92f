import SwiftSyntax

/// The nodes of a syntax tree, grouped by kind. One traversal collects the kinds that laws use.
struct NodeIndex: Sendable {
    private let nodes: [ObjectIdentifier: [Syntax]]

    init(_ tree: SourceFileSyntax) {
        let walk = Gathering(viewMode: .sourceAccurate)
        walk.walk(tree)
        nodes = walk.nodes
    }

    /// Returns the nodes of a kind, in source order.
    ///
    /// - Precondition: ``Gathering`` overrides `visit` for the kind. For other kinds the result is
    ///   empty.
    func all<Node: SyntaxProtocol>(_ type: Node.Type) -> [Node] {
        nodes[ObjectIdentifier(type)]?.compactMap { $0.as(type) } ?? []
    }
}

/// Collects nodes by kind. It overrides `visit` for each collected kind, which is several times
/// faster than one callback for every node of the tree.
private final class Gathering: SyntaxVisitor {
    private(set) var nodes: [ObjectIdentifier: [Syntax]] = [:]

    private func add<Node: SyntaxProtocol>(_ node: Node) -> SyntaxVisitorContinueKind {
        nodes[ObjectIdentifier(Node.self), default: []].append(Syntax(node))
        return .visitChildren
    }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ClosureCaptureSpecifierSyntax) -> SyntaxVisitorContinueKind {
        add(node)
    }
    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: SubscriptCallExprSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: TypeExprSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: UnresolvedAsExprSyntax) -> SyntaxVisitorContinueKind { add(node) }
}
