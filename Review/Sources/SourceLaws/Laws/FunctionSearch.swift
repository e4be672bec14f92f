import SwiftSyntax

/// Finds and measures functions, including those of types that are declared in functions.
final class FunctionSearch: SyntaxVisitor {
    private let file: SourceFile
    private(set) var functions: [MeasuredFunction] = []

    init(_ file: SourceFile) {
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.name.text + labels(node.signature.parameterClause)
        return measure(name, from: node.funcKeyword, body: node.body)
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = "init" + labels(node.signature.parameterClause)
        return measure(name, from: node.initKeyword, body: node.body)
    }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        measure("deinit", from: node.deinitKeyword, body: node.body)
    }

    override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
        let word = node.accessorSpecifier.text
        let name = (owner(of: node)?.name ?? "") + (word == "get" ? "" : "." + word)
        return measure(name, from: node.accessorSpecifier, body: node.body)
    }

    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind {
        guard case .getter = node.accessors, let owner = owner(of: node) else {
            return .visitChildren
        }
        return measure(owner.name, from: owner.keyword, body: node)
    }

    /// Visits closures outside functions: in stored properties or at file level.
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        measure((owner(of: node)?.name ?? "") + " closure", from: node, body: node)
    }

    private func measure(
        _ name: String, from first: some SyntaxProtocol, body: (some SyntaxProtocol)?
    ) -> SyntaxVisitorContinueKind {
        guard let body else { return .skipChildren }
        let depths = NestingVisitor(file, body: Syntax(body))
        let line = file.line(of: first)
        functions.append(
            MeasuredFunction(
                name: name, line: line,
                lines: file.lastLine(of: body) - line + 1 - depths.typeLines,
                depth: depths.deepest, deepestLine: depths.deepestLine))
        for type in depths.types {
            let search = FunctionSearch(file)
            search.walk(type)
            functions += search.functions
        }
        return .skipChildren
    }

    private func labels(_ clause: FunctionParameterClauseSyntax) -> String {
        "(" + clause.parameters.map { $0.firstName.text + ":" }.joined() + ")"
    }

    /// Returns the name and the keyword of the variable or subscript that contains an accessor or
    /// closure; nil if none contains it.
    private func owner(of node: some SyntaxProtocol) -> (name: String, keyword: TokenSyntax)? {
        var place = node.parent
        while let current = place {
            if let variable = current.as(VariableDeclSyntax.self) {
                let names = variable.bindings.map { $0.pattern.trimmedDescription }
                return (names.joined(separator: ", "), variable.bindingSpecifier)
            }
            if let member = current.as(SubscriptDeclSyntax.self) {
                return ("subscript" + labels(member.parameterClause), member.subscriptKeyword)
            }
            place = current.parent
        }
        return nil
    }
}

/// Measures the nesting depth of a function's body, and collects and measures the types declared in
/// it.
private final class NestingVisitor: SyntaxVisitor {
    private let file: SourceFile
    private let body: SyntaxIdentifier
    private var depth = 0
    private(set) var deepest = 0
    private(set) var deepestLine = 0
    private(set) var types: [Syntax] = []
    private(set) var typeLines = 0

    init(_ file: SourceFile, body: Syntax) {
        self.file = file
        self.body = body.id
        super.init(viewMode: .sourceAccurate)
        walk(body)
    }

    /// Returns whether a node adds to the depth: it spans several lines and isn't the function's
    /// body.
    private func deepens(_ node: some SyntaxProtocol) -> Bool {
        node.id != body && file.line(of: node) != file.lastLine(of: node)
    }

    private func enter(_ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
        guard deepens(node) else { return .visitChildren }
        depth += 1
        if depth > deepest { (deepest, deepestLine) = (depth, file.line(of: node)) }
        return .visitChildren
    }

    private func leave(_ node: some SyntaxProtocol) { if deepens(node) { depth -= 1 } }

    // Braces of if, else, guard, for, while, repeat, do, catch, defer and local functions.
    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: CodeBlockSyntax) { leave(node) }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: ClosureExprSyntax) { leave(node) }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visitPost(_ node: SwitchExprSyntax) { leave(node) }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { keep(node) }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { keep(node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { keep(node) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { keep(node) }

    private func keep(_ type: some DeclSyntaxProtocol) -> SyntaxVisitorContinueKind {
        types.append(Syntax(type))
        typeLines += file.lastLine(of: type) - file.line(of: type) + 1
        return .skipChildren
    }
}
