import SwiftSyntax

/// A declaration that clients of a target can see.
struct PublicDeclaration {
    let syntax: DeclSyntax
    /// Whether it is in an extension that adds a conformance. There, all members are taken for
    /// requirements, which the protocol documents.
    let isConformance: Bool

    /// Whether the declaration has a doc comment. Attributes and ordinary comments may follow the
    /// doc comment, such as the reason of an `@unchecked Sendable`. A blank line may not.
    var isDocumented: Bool {
        syntax.tokens(viewMode: .sourceAccurate)
            .prefix { $0.position <= keyword.position }
            .contains { $0.leadingTrivia.endsWithDocumentation }
    }

    /// The declaration's keyword, such as `func` or `struct`.
    var keyword: TokenSyntax {
        switch syntax.as(DeclSyntaxEnum.self) {
        case .actorDecl(let node): node.actorKeyword
        case .classDecl(let node): node.classKeyword
        case .enumDecl(let node): node.enumKeyword
        case .functionDecl(let node): node.funcKeyword
        case .initializerDecl(let node): node.initKeyword
        case .protocolDecl(let node): node.protocolKeyword
        case .structDecl(let node): node.structKeyword
        case .subscriptDecl(let node): node.subscriptKeyword
        case .typeAliasDecl(let node): node.typealiasKeyword
        case .variableDecl(let node): node.bindingSpecifier
        default: syntax.firstToken(viewMode: .sourceAccurate) ?? .unknown("")
        }
    }

    /// The declaration up to its first `{`, on one line:
    /// "public func sum(of values: [Double]) -> Double".
    var signature: String {
        var words: [String] = []
        for token in syntax.tokens(viewMode: .sourceAccurate) {
            if token.tokenKind == .leftBrace { break }
            words.append(token.text + (token.trailingTrivia.isEmpty ? "" : " "))
        }
        return words.joined().split(separator: " ").joined(separator: " ")
    }

    /// Whether no doc comment is needed, as for stored properties, memberwise initializers and
    /// overrides.
    ///
    /// This also holds for well-known requirements of protocols, such as `==`, `description` or
    /// NSCopying's `copy(with:)`. Classes declare some of them outside an extension, where
    /// ``isConformance`` is false.
    var isSelfExplanatory: Bool {
        if modifiers.contains("override") { return true }
        if let variable = syntax.as(VariableDeclSyntax.self) {
            return variable.bindings.allSatisfy(isSelfExplanatory)
        }
        if let function = syntax.as(FunctionDeclSyntax.self) { return isKnown(function) }
        if let initialiser = syntax.as(InitializerDeclSyntax.self) {
            let first = initialiser.signature.parameterClause.parameters.first
            return (first?.firstName.text == "from" && first?.secondName?.text == "decoder")
                || isMemberwise(initialiser)
        }
        if let alias = syntax.as(TypeAliasDeclSyntax.self) { return alias.name.text == "Element" }
        if let type = syntax.as(StructDeclSyntax.self) {
            let parents = type.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription)
            return type.name.text == "Iterator" && parents?.first == "AsyncIteratorProtocol"
        }
        return false
    }

    private var modifiers: Set<String> {
        Set(syntax.asProtocol((any WithModifiersSyntax).self)?.modifiers.map(\.name.text) ?? [])
    }

    private func isSelfExplanatory(_ binding: PatternBindingSyntax) -> Bool {
        let known: Set<String> = ["description", "debugDescription", "supportsSecureCoding"]
        return binding.accessorBlock == nil || binding.initializer != nil
            || known.contains(binding.pattern.trimmedDescription)
    }

    /// Returns whether a function has the name and labels of a well-known requirement of
    /// `Equatable`, `Comparable`, `Hashable`, `Encodable`, NSCoding, NSCopying or an asynchronous
    /// sequence.
    private func isKnown(_ function: FunctionDeclSyntax) -> Bool {
        let names = function.signature.parameterClause.parameters.map { parameter in
            [parameter.firstName.text, parameter.secondName?.text].compactMap { $0 }
                .joined(separator: " ")
        }
        switch function.name.text {
        case "==", "<": return true
        case "hash": return names.first?.hasPrefix("into") == true
        case "encode": return names.first?.hasPrefix("to") == true || names.first == "with coder"
        case "copy": return names.first == "with zone"
        case "next":
            return names.isEmpty && function.signature.effectSpecifiers?.asyncSpecifier != nil
        case "makeAsyncIterator": return names.isEmpty
        default: return false
        }
    }

    /// Returns whether each statement of the body assigns a value to the property of the same name,
    /// as in `self.name = name`. True for an empty body.
    private func isMemberwise(_ initialiser: InitializerDeclSyntax) -> Bool {
        initialiser.body?.statements.allSatisfy { statement in
            let sides = statement.item.trimmedDescription.split(separator: " ")
            return sides.count == 3 && sides[1] == "=" && sides[0] == "self." + sides[2]
        } ?? true
    }

    /// Labels of boolean parameters in Apple's signatures. Such parameters are allowed everywhere.
    private static let appleNames: Set<String> = ["precededByGap"]

    /// The parameters of a function or subscript of type `Bool` or `Bool?`, except those with a
    /// label in ``appleNames``. Empty for initializers and other declarations.
    var booleanParameters: [FunctionParameterSyntax] {
        let clause =
            syntax.as(FunctionDeclSyntax.self)?.signature.parameterClause
            ?? syntax.as(SubscriptDeclSyntax.self)?.parameterClause
        return clause?.parameters.filter { parameter in
            ["Bool", "Bool?", "Optional<Bool>"].contains(parameter.type.trimmedDescription)
                && !Self.appleNames.contains(parameter.firstName.text)
        } ?? []
    }
}

extension SourceFile {
    /// Public and open declarations in source order, including the members of public extensions.
    /// Enum cases and the requirements of protocols are left out.
    var publicDeclarations: [PublicDeclaration] {
        let search = PublicSearch(viewMode: .sourceAccurate)
        search.walk(tree)
        return search.found
    }

    /// Public declarations without a doc comment, in a target under `Sources`.
    ///
    /// Members of an extension with a conformance are exempt, and so are declarations that are
    /// ``PublicDeclaration/isSelfExplanatory``.
    var undocumented: [Violation] {
        guard target != nil else { return [] }
        return
            publicDeclarations
            .filter { !$0.isDocumented && !$0.isConformance && !$0.isSelfExplanatory }
            .map { violation("no doc comment: \($0.signature)", at: $0.keyword) }
    }

    /// Boolean parameters of public functions and subscripts in a target, with or without a label.
    ///
    /// Initializers are exempt, and so are the targets OpenHealthKit and FoundationGaps, whose
    /// signatures Apple defines.
    var booleanParameters: [Violation] {
        guard target != nil, !path.hasPrefix("Sources/OpenHealthKit/"),
            !path.hasPrefix("Sources/FoundationGaps/")
        else { return [] }
        return publicDeclarations.flatMap { declaration in
            declaration.booleanParameters.map {
                violation("a boolean parameter: \($0.trimmedDescription)", at: $0)
            }
        }
    }
}

/// Collects public declarations. It skips the bodies of functions, which contain none.
private final class PublicSearch: SyntaxVisitor {
    private(set) var found: [PublicDeclaration] = []

    private func add(
        _ node: some DeclSyntaxProtocol & WithModifiersSyntax
    ) -> SyntaxVisitorContinueKind {
        let access = node.modifiers.map(\.name.text)
        let home = node.parent?.nearest { around in
            around.isProtocol((any DeclGroupSyntax).self) ? around : nil
        }?.as(ExtensionDeclSyntax.self)
        let isOpen = access.contains { ["public", "open"].contains($0) }
        let isOfPublicExtension =
            home?.modifiers.contains { $0.name.text == "public" } == true
            && !access.contains { ["package", "internal", "fileprivate", "private"].contains($0) }
        if isOpen || isOfPublicExtension {
            let extensionAround = node.nearest { $0.as(ExtensionDeclSyntax.self) }
            found.append(
                PublicDeclaration(
                    syntax: DeclSyntax(node),
                    isConformance: extensionAround?.inheritanceClause != nil))
        }
        return .visitChildren
    }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
}
