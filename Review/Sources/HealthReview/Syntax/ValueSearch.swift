import SwiftSyntax

/// An expression, with the calls through which it was reached.
struct KnownValue {
    let expression: ExprSyntax
    /// The calls that give values to the parameters around the expression, the innermost last.
    var calls: [KnownCall] = []
}

/// Searches the values that an expression can have, beyond ``Target/origins(of:calls:)``: through
/// parameters, tables of constants, members of values and elements of lists.
///
/// ```
/// for metric in Metric.allCases { HKQuantityType(metric.identifier) }
/// // metric.identifier: the results of the getter `Metric.identifier`
/// ```
///
/// - Complexity: bounded: ``maximumSteps`` expressions.
struct ValueSearch {
    static let maximumSteps = 300

    let target: Target
    /// The expressions that can't be followed further: literals, constructions, names of cases.
    private(set) var found: [KnownValue] = []
    private var pending: [(value: KnownValue, depth: Int)] = []
    var steps = 0
    /// How many searches this one is nested in.
    var level = 0
    static let maximumLevel = 5

    init(_ target: Target) { self.target = target }

    /// Returns the values of an expression.
    static func values(
        of expression: ExprSyntax, in calls: [KnownCall] = [], _ target: Target
    ) -> [KnownValue] {
        var search = ValueSearch(target)
        search.follow([KnownValue(expression: expression, calls: calls)])
        return search.found
    }

    /// Returns the values of a list's elements, or nil if the source doesn't show them.
    static func elements(
        of list: ExprSyntax, in calls: [KnownCall] = [], _ target: Target
    ) -> [KnownValue]? {
        var search = ValueSearch(target)
        let list = KnownValue(expression: list, calls: calls)
        guard let elements = search.elements(of: list) else { return nil }
        search.follow(elements)
        return search.found
    }

    mutating func follow(_ values: [KnownValue]) {
        pending = values.map { ($0, 0) }
        while let (value, depth) = pending.popLast() {
            for origin in target.origins(of: value.expression, calls: .notFollowed) {
                let leaf = KnownValue(expression: origin, calls: value.calls)
                steps += 1
                if steps < Self.maximumSteps, depth < 12, let next = further(leaf) {
                    pending += next.map { ($0, depth + 1) }
                } else {
                    found.append(leaf)
                }
            }
        }
    }

    /// Returns what an origin can be, or nil if it can't be followed.
    mutating func further(_ leaf: KnownValue) -> [KnownValue]? {
        let origin = leaf.expression
        let values: [KnownValue]?
        switch origin.as(ExprSyntaxEnum.self) {
        case .functionCallExpr(let call): values = results(of: call, leaf.calls)
        case .subscriptCallExpr(let call): values = entries(of: call, leaf.calls)
        case .declReferenceExpr, .memberAccessExpr: values = named(leaf)
        default: values = nil
        }
        return values.flatMap { $0.isEmpty ? nil : $0 }
    }

    func results(of call: FunctionCallExprSyntax, _ calls: [KnownCall]) -> [KnownValue]? {
        guard calls.count < 6, call.constructedName?.first?.isUppercase != true,
            let function = target.function(calledBy: call),
            !calls.contains(where: { $0.function.id == function.id })
        else { return nil }
        let inner = calls + [KnownCall(function: function, call: call)]
        return target.results(of: function).map { KnownValue(expression: $0, calls: inner) }
    }

    /// Returns what a name or a member of a value can be.
    mutating func named(_ leaf: KnownValue) -> [KnownValue]? {
        let origin = leaf.expression
        guard origin.ownName != nil else {
            return origin.as(MemberAccessExprSyntax.self).flatMap { member(of: $0, leaf.calls) }
        }
        switch target.binding(of: origin) {
        case .parameter(let parameter): return arguments(for: parameter, leaf.calls)
        case .element(let list, _):
            return elements(of: KnownValue(expression: list, calls: leaf.calls))
        case .elementPart(let list, let place):
            return parts(ofElementsOf: KnownValue(expression: list, calls: leaf.calls), place)
        case .part(let value, let place):
            return parts(of: KnownValue(expression: value, calls: leaf.calls), place)
        case .closureParameter(let closure, let place):
            return elements(of: closure, place, leaf.calls)
        case .variable(let binding, let declaration):
            guard let name = binding.boundName, let type = declaration.memberOf else { return nil }
            return constructions(of: type, settingMember: name)
        default: return nil
        }
    }

    /// Returns the arguments for a parameter: of the call that was entered, else of all calls.
    func arguments(
        for parameter: FunctionParameterSyntax, _ calls: [KnownCall]
    ) -> [KnownValue]? {
        guard let function = parameter.function else {
            guard parameter.enclosing(InitializerDeclSyntax.self) != nil,
                let type = parameter.enclosingTypeName
            else { return nil }
            return constructions(of: type, parameter.firstName.text)
        }
        if let place = calls.lastIndex(where: { $0.function.id == function.id }) {
            let outer = Array(calls[..<place])
            return calls[place].argument(for: parameter).map {
                [KnownValue(expression: $0, calls: outer)]
            }
        }
        return target.calls(of: function).prefix(64).compactMap { call in
            call.argument(for: parameter).map { KnownValue(expression: $0) }
        }
    }
}
