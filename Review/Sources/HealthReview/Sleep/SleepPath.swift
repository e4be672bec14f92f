import SwiftSyntax

/// The way from a list back to the query or parameter that it comes from.
struct SleepPath {
    /// The functions around each step, for what they are about.
    private(set) var bodies: [Syntax] = []
    /// The code that the list passes through: expressions, and whole functions that are called.
    private(set) var passages: [Syntax] = []
    /// The closures of `filter` and the conditions that reduced the list.
    private(set) var filters: [ClosureExprSyntax] = []
    private(set) var queries: [HealthQuery] = []
    /// Whether each step is understood and there is only one way.
    private(set) var isComplete = true
    /// The names of the types of elements that the list has or had.
    private(set) var elementTypes: Set<String> = []

    private let target: Target
    private var pending: [(ExprSyntax, Int)] = []
    private var seen: Set<SyntaxIdentifier> = []

    /// - Complexity: bounded: 120 steps.
    init(_ list: ExprSyntax, in target: Target) {
        self.target = target
        pending = [(list, 0)]
        var steps = 0
        while let (next, depth) = pending.popLast() {
            steps += 1
            if steps > 120 || depth > 16 {
                isComplete = false
                break
            }
            follow(next, depth)
        }
    }

    private mutating func follow(_ expression: ExprSyntax, _ depth: Int) {
        add(expression.enclosingFunction)
        passages.append(Syntax(expression))
        if let type = target.elementTypeName(of: expression) { elementTypes.insert(type) }
        let origins = target.origins(of: expression, calls: .notFollowed)
        for origin in origins where seen.insert(origin.id).inserted {
            add(origin.enclosingFunction)
            passages.append(Syntax(origin))
            switch origin.as(ExprSyntaxEnum.self) {
            case .arrayExpr(let list) where list.elements.isEmpty: break
            case .nilLiteralExpr: break
            case .functionCallExpr(let call): follow(call, depth + 1)
            case .declReferenceExpr(let name): follow(name, depth + 1)
            case .subscriptCallExpr(let call): pending.append((call.calledExpression, depth + 1))
            case .memberAccessExpr(let member): follow(member, depth + 1)
            default: isComplete = false
            }
        }
    }

    private mutating func add(_ body: Syntax) {
        guard !body.is(SourceFileSyntax.self), seen.insert(body.id).inserted else { return }
        bodies.append(body)
    }

    private mutating func follow(_ member: MemberAccessExprSyntax, _ depth: Int) {
        let name = member.declName.baseName.text
        if ["lazy", "first", "last", "values", "value", "samples", "addedSamples"].contains(name),
            let base = member.base
        {
            pending.append((base, depth))
        } else if let declared = target.index.computed[name], declared.count == 1,
            let block = declared[0].accessorBlock
        {
            isComplete = false
            passages.append(Syntax(block))
        } else {
            isComplete = false
        }
    }

    private mutating func follow(_ call: FunctionCallExprSyntax, _ depth: Int) {
        guard let name = call.calledName else { return isComplete = false }
        if name.hasSuffix("Continuation"), let closure = call.closures.first {
            return followValues(resumedIn: closure, depth)
        }
        switch name {
        case "filter", "first", "last", "drop", "prefix", "removeAll":
            filters += call.closures
            if call.closures.isEmpty && !call.arguments.isEmpty && name == "filter" {
                isComplete = false
            }
            followBase(of: call, depth)
        case "sorted", "suffix", "dropFirst", "dropLast", "reversed", "enumerated":
            followBase(of: call, depth)
        case "map", "compactMap", "flatMap":
            if let closure = call.closures.first, !closure.keepsElements {
                isComplete = false
                for made in closure.all(FunctionCallExprSyntax.self) {
                    if let type = made.constructedName, !target.types(type).isEmpty {
                        elementTypes.insert(type)
                    }
                }
            }
            followBase(of: call, depth)
        case "Array", "Set", "success":
            if let list = call.unlabelledArgument(0) { pending.append((list, depth)) }
        case "Dictionary":
            isComplete = false
            if let list = call.argument("grouping") { pending.append((list, depth)) }
        case "get", "reduce", "forEach": followBase(of: call, depth)
        case "result", "results": follow(descriptor: call.base, depth)
        default: enter(call, depth)
        }
    }

    private mutating func followBase(of call: FunctionCallExprSyntax, _ depth: Int) {
        if let base = call.base {
            pending.append((base, depth))
        } else if let element = call.enclosingType?.elementOfExtension {
            isComplete = false
            elementTypes.insert(element)
        } else {
            isComplete = false
        }
    }

    private mutating func follow(descriptor base: ExprSyntax?, _ depth: Int) {
        guard let base else { return isComplete = false }
        for origin in target.origins(of: base) {
            if let call = origin.as(FunctionCallExprSyntax.self), let query = HealthQuery(call) {
                queries.append(query)
                add(call.enclosingFunction)
                passages.append(call.enclosingFunction)
            } else {
                isComplete = false
            }
        }
    }

    private mutating func enter(_ call: FunctionCallExprSyntax, _ depth: Int) {
        guard let function = target.function(calledBy: call) else { return isComplete = false }
        add(Syntax(function))
        passages.append(Syntax(function))
        let results = target.results(of: function)
        if results.isEmpty { isComplete = false }
        for result in results { pending.append((result, depth + 1)) }
    }

    private mutating func followValues(resumedIn closure: ClosureExprSyntax, _ depth: Int) {
        let name = closure.parameter(0) ?? ""
        for call in closure.all(FunctionCallExprSyntax.self)
        where call.calledName == "resume" && call.base?.bare.ownName == name {
            if let value = call.argument("returning") { pending.append((value, depth)) }
        }
    }
}

extension SleepPath {
    private mutating func follow(_ name: DeclReferenceExprSyntax, _ depth: Int) {
        switch target.binding(name.baseName.text, at: name) {
        case .parameter(let parameter): follow(parameter, depth)
        case .closureParameter(let closure, let place): follow(closure, place, depth)
        case .element(let list, _):
            isComplete = false
            pending.append((list, depth))
        case .variable(let binding, _):
            // A list that is filled later.
            isComplete = false
            if let type = binding.typeAnnotation?.type.elementName { elementTypes.insert(type) }
        default:
            if let result = target.successSubject(of: name.baseName.text, at: name) {
                return pending.append((result, depth))
            }
            isComplete = false
            if let loop = name.enclosing(ForStmtSyntax.self) {
                // `for (day, samples) in Dictionary(grouping: …)`
                passages.append(Syntax(loop.sequence))
                pending.append((loop.sequence, depth + 1))
            }
        }
    }

    private mutating func follow(_ parameter: FunctionParameterSyntax, _ depth: Int) {
        if let type = parameter.type.elementName { elementTypes.insert(type) }
        guard let function = parameter.function else { return isComplete = false }
        let arguments = target.calls(of: function).compactMap { $0.argument(for: parameter) }
        if arguments.count != 1 { isComplete = false }
        for argument in arguments.prefix(8) { pending.append((argument, depth + 1)) }
    }

    private mutating func follow(_ closure: ClosureExprSyntax, _ place: Int, _ depth: Int) {
        if let collection = closure.collection(ofParameter: place) {
            return pending.append((collection, depth))
        }
        if let query = target.query(handledBy: closure)?.query { return queries.append(query) }
        guard let call = closure.receivingCall, let function = target.function(calledBy: call)
        else {
            isComplete = false
            if let base = closure.receivingCall?.base { pending.append((base, depth + 1)) }
            return
        }
        add(Syntax(function))
        passages.append(Syntax(function))
        let known = KnownCall(function: function, call: call)
        let parameter = function.signature.parameterClause.parameters.first {
            known.argument(for: $0)?.as(ClosureExprSyntax.self)?.id == closure.id
        }
        guard let parameter, let body = function.body else { return isComplete = false }
        for call in body.all(FunctionCallExprSyntax.self)
        where call.calledExpression.bare.ownName == parameter.ownName {
            if let value = call.unlabelledArgument(place) { pending.append((value, depth + 1)) }
        }
    }
}

extension ClosureExprSyntax {
    /// Whether a closure of `map` returns the element itself, possibly cast.
    fileprivate var keepsElements: Bool {
        guard statements.count == 1, case .expr(let only) = statements.first?.item else {
            return false
        }
        return only.bare.ownName == parameter(0)
    }
}

extension TypeBlock {
    /// The element type in `extension Array where Element == Segment` and
    /// `extension [Segment]`.
    var elementOfExtension: String? {
        guard let extended = node.as(ExtensionDeclSyntax.self) else { return nil }
        if let list = extended.extendedType.as(ArrayTypeSyntax.self) {
            return list.element.baseName
        }
        for requirement in extended.genericWhereClause?.requirements ?? [] {
            if case .sameTypeRequirement(let same) = requirement.requirement,
                same.leftType.trimmedDescription == "Element"
            {
                return same.rightType.as(TypeSyntax.self)?.baseName
            }
        }
        return nil
    }
}
