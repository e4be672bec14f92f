import SwiftSyntax

/// A storage location that keeps a value between calls.
enum StorageLocation: Sendable, Hashable {
    /// A property or a global variable.
    case variable(type: String?, name: String)
    /// A key in UserDefaults or another table.
    case key(String)
    case file(String)
    /// A path through another type: `AnchorStore.shared.anchor`.
    case path(String)
}

extension Target {
    /// Returns the only storage location a value comes from. The result is nil if there is none, if
    /// there can be several, or if the location depends on something variable, such as a type.
    func storageLocation(
        of expression: ExprSyntax, arguments: [String: ExprSyntax] = [:]
    ) -> StorageLocation? {
        let places = storageLocations(of: expression, arguments: arguments)
        return places.count == 1 ? places.first : nil
    }

    /// Returns the storage locations that a value may come from: properties, global variables, keys
    /// of `UserDefaults` and files.
    ///
    /// Variables, conditional expressions, decoding calls and calls of the target's functions are
    /// followed.
    ///
    /// - Parameters:
    ///   - expression: The expression to resolve.
    ///   - arguments: The expressions that parameters stand for, by name.
    /// - Returns: The locations that were found.
    /// - Complexity: At most 16 steps on each path and 64 in total.
    func storageLocations(
        of expression: ExprSyntax, arguments: [String: ExprSyntax] = [:]
    ) -> Set<StorageLocation> {
        var search = LocationSearch(target: self)
        search.follow(expression, arguments, depth: 0)
        return search.found
    }

    /// Returns the text of a constant: a literal, or a member of a type that represents one.
    func constantText(
        of expression: ExprSyntax, arguments: [String: ExprSyntax] = [:]
    ) -> String? {
        let origins = origins(of: expression)
        guard origins.count == 1, let origin = origins.first else { return nil }
        if let text = origin.plainString { return text }
        if let name = origin.as(DeclReferenceExprSyntax.self)?.baseName.text {
            return arguments[name].flatMap { constantText(of: $0) }
        }
        return origin.isRootedInType ? origin.shortText : nil
    }
}

extension ExprSyntax {
    /// Whether a member chain starts at a type: `Keys.anchor.rawValue`, `.anchor`.
    var isRootedInType: Bool {
        var expression = bare
        guard expression.is(MemberAccessExprSyntax.self) else { return false }
        while let member = expression.as(MemberAccessExprSyntax.self) {
            guard let base = member.base?.bare else { return true }
            expression = base
        }
        return expression.as(DeclReferenceExprSyntax.self)?.baseName.text.first?.isUppercase
            ?? false
    }
}

private struct LocationSearch {
    let target: Target
    var found: Set<StorageLocation> = []
    private var steps = 0

    init(target: Target) { self.target = target }

    mutating func follow(
        _ expression: ExprSyntax, _ arguments: [String: ExprSyntax], depth: Int
    ) {
        steps += 1
        guard depth < 16, steps < 64 else { return }
        let bare = expression.bare
        switch bare.as(ExprSyntaxEnum.self) {
        case .sequenceExpr(let sequence):
            let ternaries = sequence.elements.compactMap { $0.as(UnresolvedTernaryExprSyntax.self) }
            if let last = sequence.elements.last, !ternaries.isEmpty {
                for branch in ternaries.map(\.thenExpression) + [last] {
                    follow(branch, arguments, depth: depth + 1)
                }
            } else if let first = sequence.elements.first {
                // `stored ?? nil`: only the first operand is stored; the rest is a fallback.
                follow(first, arguments, depth: depth + 1)
            }
        case .ifExpr(let node):
            for result in target.results(of: node.body.statements) {
                follow(result, arguments, depth: depth + 1)
            }
        case .declReferenceExpr(let node):
            follow(
                target.binding(node.baseName.text, at: bare), node.baseName.text, arguments, depth)
        case .memberAccessExpr(let node): follow(node, arguments, depth)
        case .functionCallExpr(let node): follow(node, arguments, depth)
        case .subscriptCallExpr(let node): follow(node, arguments, depth)
        default: break
        }
    }

    private mutating func follow(
        _ binding: Binding?, _ name: String, _ arguments: [String: ExprSyntax], _ depth: Int
    ) {
        switch binding {
        case .unwrapped(let value): follow(value, arguments, depth: depth + 1)
        case .variable(let binding, let declaration):
            follow(binding, declaration, name, arguments, depth)
        case .parameter:
            if let argument = arguments[name] { follow(argument, [:], depth: depth + 1) }
        case .closureParameter(let closure, 0):
            // `data.flatMap { decode($0) }`
            if let call = closure.receivingCall,
                ["map", "flatMap"].contains(call.calledName ?? ""),
                let base = call.base
            {
                follow(base, arguments, depth: depth + 1)
            }
        default: break
        }
    }

    private mutating func follow(
        _ binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax, _ name: String,
        _ arguments: [String: ExprSyntax], _ depth: Int
    ) {
        let isLocal =
            declaration.enclosing(CodeBlockItemListSyntax.self).map {
                $0.parent?.is(SourceFileSyntax.self) == false
            } ?? false
        let isMember = declaration.memberOf != nil
        if let key = declaration.attributes.storageKey {
            found.insert(.key(key))
        } else if let getter = binding.getterStatements {
            for result in target.results(of: getter) { follow(result, arguments, depth: depth + 1) }
        } else if isMember || !isLocal {
            let count = found.count
            if declaration.isConstant, let value = binding.initializer?.value {
                follow(value, arguments, depth: depth + 1)
            }
            if found.count == count {
                found.insert(.variable(type: declaration.memberOf, name: name))
            }
        } else {
            var values = [binding.initializer?.value].compactMap { $0 }
            values += target.assignments(to: binding, declaration).compactMap(\.singleValue)
            for value in values { follow(value, arguments, depth: depth + 1) }
        }
    }

    private mutating func follow(
        _ member: MemberAccessExprSyntax, _ arguments: [String: ExprSyntax], _ depth: Int
    ) {
        let name = member.declName.baseName.text
        guard let base = member.base?.bare else { return }
        if base.isOwn {
            let type = member.enclosingTypeName
            follow(type.flatMap { target.member(name, of: $0) }, name, arguments, depth)
        } else if let type = base.as(DeclReferenceExprSyntax.self)?.baseName.text,
            !target.types(type).isEmpty, let binding = target.member(name, of: type)
        {
            follow(binding, name, arguments, depth)
        } else if ExprSyntax(member).isRootedInType {
            // `Date.distantPast` isn't stored.
            if base.ownName == "Date" { return }
            if let text = ExprSyntax(member).shortText { found.insert(.path(text)) }
        } else if let own = base.ownName,
            case .variable(_, let declaration) = target.binding(own, at: base),
            let type = declaration.memberOf
        {
            found.insert(.variable(type: type, name: "\(own).\(name)"))
        }
    }

    private mutating func follow(
        _ call: FunctionCallExprSyntax, _ arguments: [String: ExprSyntax], _ depth: Int
    ) {
        if let closure = call.calledExpression.as(ClosureExprSyntax.self) {
            for result in target.results(of: closure.statements) {
                follow(result, arguments, depth: depth + 1)
            }
            return
        }
        if let function = target.function(calledBy: call) {
            let inner = KnownCall(function: function, call: call).arguments.mapValues { argument in
                argument.as(DeclReferenceExprSyntax.self).flatMap { arguments[$0.baseName.text] }
                    ?? argument
            }
            for result in target.results(of: function) { follow(result, inner, depth: depth + 1) }
            return
        }
        if let key = call.argument("forKey") ?? call.argument("key") ?? call.argument("forAnchor") {
            if let text = target.constantText(of: key, arguments: arguments) {
                found.insert(.key(text))
            }
            return
        }
        for label in Self.decoded {
            if let source = call.argument(label) {
                return follow(source, arguments, depth: depth + 1)
            }
        }
        switch call.calledName {
        case "appendingPathComponent", "appending":
            let part =
                call.unlabelledArgument(0) ?? call.argument("path") ?? call.argument("component")
            if let text = part.flatMap({ target.constantText(of: $0, arguments: arguments) }) {
                found.insert(.file(text))
            }
        case "startOfDay":
            if let date = call.argument("for") { follow(date, arguments, depth: depth + 1) }
        case "max", "min":
            for argument in call.arguments where argument.label == nil {
                follow(argument.expression, arguments, depth: depth + 1)
            }
        case "map", "flatMap", "addingTimeInterval":
            if let base = call.base { follow(base, arguments, depth: depth + 1) }
        default:
            if call.arguments.isEmpty, call.calledExpression.isRootedInType,
                let text = call.calledExpression.shortText
            {
                found.insert(.path(text))
            }
        }
    }

    /// Argument labels of decoders and readers for the data they convert to a value.
    private static let decoded = [
        "from", "with", "contentsOf", "contentsOfFile", "forReadingFrom", "timeIntervalSince1970",
        "timeIntervalSinceReferenceDate", "to",
    ]

    private mutating func follow(
        _ element: SubscriptCallExprSyntax, _ arguments: [String: ExprSyntax], _ depth: Int
    ) {
        guard element.arguments.count == 1, let index = element.arguments.first?.expression,
            let text = target.constantText(of: index, arguments: arguments)
        else { return }
        if let own = element.calledExpression.bare.ownName {
            found.insert(.variable(type: element.enclosingTypeName, name: "\(own)[\(text)]"))
        } else {
            found.insert(.key(text))
        }
    }
}

extension AttributeListSyntax {
    /// The key in an attribute: `lastSync` in `@AppStorage("lastSync")`.
    var storageKey: String? {
        for attribute in self {
            guard let attribute = attribute.as(AttributeSyntax.self),
                ["AppStorage", "SceneStorage", "UserDefault", "Defaults", "Default"].contains(
                    attribute.attributeName.baseName ?? ""),
                case .argumentList(let list) = attribute.arguments
            else { continue }
            let key = list.first { $0.label == nil || $0.label?.text == "key" }?.expression
            return key.map { $0.plainString ?? $0.trimmedDescription }
        }
        return nil
    }
}
