import HealthEngine
import SwiftSyntax

/// The types that a target's authorization requests name.
struct AuthorizationRequests: Sendable {
    /// Whether a request names any types for one direction (share or read).
    enum RequestedTypes: Sendable {
        case nothing, something, unknown
    }

    private(set) var calls: [(call: FunctionCallExprSyntax, file: SourceFile)] = []
    /// The types to share; complete if every request can be resolved.
    private(set) var shared = PossibleTypes()
    /// The types to read; complete if every request can be resolved.
    private(set) var read = PossibleTypes()

    init(_ target: Target) {
        for file in target.files {
            for call in file.uses.calls where call.isAuthorizationRequest {
                guard
                    call.enclosing(FunctionDeclSyntax.self)?.name.text != "requestAuthorization"
                        || call.closures.isEmpty || !call.passesOnParameters(target)
                else { continue }
                calls.append((call, file))
                if let types = call.shareArgument { shared.add(target.typesOfSet(types)) }
                if let types = call.readArgument { read.add(target.typesOfSet(types)) }
            }
        }
    }
}

extension FunctionCallExprSyntax {
    var shareArgument: ExprSyntax? { argument("toShare") ?? argument("shareTypes") }
    var readArgument: ExprSyntax? { argument("read") ?? argument("readTypes") }

    /// Whether both sets are parameters of the enclosing function, so that its callers decide.
    fileprivate func passesOnParameters(_ target: Target) -> Bool {
        [shareArgument, readArgument].allSatisfy { argument in
            guard let argument else { return true }
            if case .parameter = target.binding(of: argument) { return true }
            return false
        }
    }
}

extension Target {
    /// Returns whether a requested set of types has any elements.
    func requestedTypes(_ argument: ExprSyntax?) -> AuthorizationRequests.RequestedTypes {
        guard let argument else { return .nothing }
        guard let elements = setElements(of: argument) else { return .unknown }
        return elements.isEmpty ? .nothing : .something
    }

    /// Returns the types in a set, an array or nil; incomplete if the source doesn't show all of
    /// them.
    func typesOfSet(_ expression: ExprSyntax) -> PossibleTypes {
        guard let elements = ValueSearch.elements(of: expression, self) else {
            return PossibleTypes(isComplete: false)
        }
        var types = PossibleTypes()
        for element in elements where !element.expression.is(NilLiteralExprSyntax.self) {
            types.add(sampleTypes(of: element))
        }
        return types
    }

    /// Returns the elements of a set or array literal, over all branches, and none for nil. The
    /// result is nil if an element can't be resolved or if elements are added later.
    func setElements(of expression: ExprSyntax, depth: Int = 0) -> [ExprSyntax]? {
        guard depth < 6, !grows(expression) else { return nil }
        var all: [ExprSyntax] = []
        for origin in origins(of: expression) {
            if origin.is(NilLiteralExprSyntax.self) { continue }
            if let array = origin.as(ArrayExprSyntax.self) {
                all += array.elements.map(\.expression)
            } else if let call = origin.as(FunctionCallExprSyntax.self),
                let elements = setElements(ofCall: call, depth)
            {
                all += elements
            } else {
                return nil
            }
        }
        return all
    }

    private func setElements(ofCall call: FunctionCallExprSyntax, _ depth: Int) -> [ExprSyntax]? {
        switch call.calledName {
        case "Set", "Array":
            guard let content = call.unlabelledArgument(0) else {
                return call.arguments.isEmpty ? [] : nil
            }
            return setElements(of: content, depth: depth + 1)
        case "compactMap":
            // `[…].compactMap { $0 }`.
            guard let base = call.base, call.closures.first?.statements.trimmedDescription == "$0"
            else {
                return nil
            }
            return setElements(of: base, depth: depth + 1)
        case "union":
            guard let base = call.base, let other = call.unlabelledArgument(0),
                let one = setElements(of: base, depth: depth + 1),
                let two = setElements(of: other, depth: depth + 1)
            else { return nil }
            return one + two
        default:
            // `Set<HKSampleType>([…])`.
            guard let generic = call.calledExpression.as(GenericSpecializationExprSyntax.self),
                ["Set", "Array"].contains(generic.expression.trimmedDescription)
            else { return nil }
            guard let content = call.unlabelledArgument(0) else { return [] }
            return setElements(of: content, depth: depth + 1)
        }
    }

    /// Returns whether elements are added to or removed from a variable after its declaration.
    private func grows(_ expression: ExprSyntax) -> Bool {
        guard case .variable(let binding, let declaration) = binding(of: expression),
            !declaration.isConstant, let name = binding.boundName
        else { return false }
        let adding = ["insert", "append", "formUnion", "remove", "subtract"]
        return adding.contains { method in
            (index.calls[method] ?? []).contains { call in
                guard let base = call.base, base.bare.lastName == name else { return false }
                return (ownMemberName(base) ?? base.bare.ownName) == name
            }
        }
    }
}
