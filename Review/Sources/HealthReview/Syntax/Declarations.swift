import SwiftSyntax

/// The declarations in a file, by name.
struct Declarations: Sendable {
    /// Types and their extensions.
    var types: [String: [TypeBlock]] = [:]
    /// Functions at every depth: members, globals and local functions.
    var functions: [String: [FunctionDeclSyntax]] = [:]
    /// Variables outside every type and function.
    var globals: [String: [PatternBindingSyntax]] = [:]

    mutating func add(_ node: VariableDeclSyntax) {
        guard node.parent?.is(CodeBlockItemSyntax.self) == true,
            node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
        else { return }
        for binding in node.bindings {
            if let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
                globals[name, default: []].append(binding)
            }
        }
    }
}

/// A type's declaration, or an extension of it.
struct TypeBlock: Sendable {
    enum Kind: Sendable, Hashable {
        case actor, `class`, `enum`, `extension`, `protocol`, `struct`
    }

    /// The name without enclosing types: `Store` for `extension App.Store`.
    let name: String
    let kind: Kind
    let node: any DeclGroupSyntax

    init?(_ node: Syntax) {
        switch node.as(SyntaxEnum.self) {
        case .classDecl(let node): self.init(node.name.text, .class, node)
        case .structDecl(let node): self.init(node.name.text, .struct, node)
        case .enumDecl(let node): self.init(node.name.text, .enum, node)
        case .actorDecl(let node): self.init(node.name.text, .actor, node)
        case .protocolDecl(let node): self.init(node.name.text, .protocol, node)
        case .extensionDecl(let node):
            guard let name = node.extendedType.baseName else { return nil }
            self.init(name, .extension, node)
        default: return nil
        }
    }

    private init(_ name: String, _ kind: Kind, _ node: any DeclGroupSyntax) {
        (self.name, self.kind, self.node) = (name, kind, node)
    }

    /// The inherited types: `UIViewController`, `ObservableObject`.
    var inherited: [String] {
        node.inheritanceClause?.inheritedTypes.compactMap { $0.type.baseName } ?? []
    }

    /// The names of the attributes: `MainActor`, `Observable`.
    var attributes: [String] { node.attributes.names }

    var variables: [(declaration: VariableDeclSyntax, binding: PatternBindingSyntax)] {
        node.memberBlock.members.flatMap { member in
            member.decl.as(VariableDeclSyntax.self).map { variable in
                variable.bindings.map { (variable, $0) }
            } ?? []
        }
    }

    var functions: [FunctionDeclSyntax] {
        node.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
    }
}

extension AttributeListSyntax {
    /// The attribute names: `["Published"]` for `@Published`.
    var names: [String] {
        compactMap { $0.as(AttributeSyntax.self)?.attributeName.baseName }
    }
}

extension TypeSyntax {
    /// The last name of a type without generic arguments and optional marks: `Store` for
    /// `App.Store<Int>?`. It is nil for types without a name, such as tuples.
    var baseName: String? {
        switch self.as(TypeSyntaxEnum.self) {
        case .identifierType(let type): type.name.text
        case .memberType(let type): type.name.text
        case .optionalType(let type): type.wrappedType.baseName
        case .implicitlyUnwrappedOptionalType(let type): type.wrappedType.baseName
        case .attributedType(let type): type.baseType.baseName
        case .someOrAnyType(let type): type.constraint.baseName
        default: nil
        }
    }
}
