import SwiftSyntax

/// The bucket length of a statistics collection.
enum IntervalLength: Sendable, Equatable {
    /// Calendar units: days, weeks or months.
    case calendarDays
    /// A multiple of 24 hours, given in hours, minutes or seconds.
    case fixedDays(hours: Int)
    /// Less than a day, or not a whole number of days.
    case short
    case unknown
}

extension Target {
    /// Returns the bucket length that an `intervalComponents` argument specifies.
    func intervalLength(of expression: ExprSyntax) -> IntervalLength {
        let origins = origins(of: expression)
        guard origins.count == 1, let call = origins[0].as(FunctionCallExprSyntax.self),
            ["DateComponents", "init"].contains(call.calledName)
        else { return .unknown }
        var seconds = 0
        var hasDays = false
        var hasAny = false
        func add(_ component: String, _ value: [ExprSyntax]) -> Bool {
            if ["day", "weekOfYear", "weekOfMonth", "month", "year", "quarter"].contains(component)
            {
                hasDays = true
                return true
            }
            guard let unit = Self.seconds[component] else { return true }
            guard let number = product(value) else { return false }
            hasAny = true
            seconds += number * unit
            return true
        }
        for argument in call.arguments {
            guard let label = argument.label?.text else { return .unknown }
            if !add(label, [argument.expression]) { return .unknown }
        }
        for assigned in members(assignedTo: expression) {
            if !add(assigned.member, assigned.value) { return .unknown }
        }
        if hasDays { return .calendarDays }
        guard hasAny, seconds > 0 else { return .unknown }
        return seconds % 86_400 == 0 ? .fixedDays(hours: seconds / 3_600) : .short
    }

    private static let seconds = ["hour": 3_600, "minute": 60, "second": 1]

    /// Returns assignments like `interval.day = 1` to the named variable, as the component and its
    /// value.
    func members(assignedTo expression: ExprSyntax) -> [(member: String, value: [ExprSyntax])] {
        guard let name = expression.bare.ownName, let file = file(of: expression) else { return [] }
        let scope = variableScope(of: name, at: expression) ?? expression.enclosingFunction
        return file.uses.assignments.compactMap { assignment in
            guard assignment.operator == .plain,
                let member = assignment.target.as(MemberAccessExprSyntax.self),
                member.base?.bare.ownName == name, assignment.node.isInside(scope)
            else { return nil }
            let value = assignment.firstChoice.map { [$0] } ?? assignment.value
            return (member.declName.baseName.text, value)
        }
    }

    /// Returns the scope in which a variable can change: its block, or the whole file for a member.
    private func variableScope(of name: String, at node: ExprSyntax) -> Syntax? {
        guard case .variable(_, let declaration) = binding(name, at: node) else { return nil }
        if declaration.memberOf != nil { return Syntax(node).root }
        return declaration.enclosing(CodeBlockItemListSyntax.self).map { Syntax($0) }
    }

    /// Returns the value of an integer expression such as `24 * 60 * 60`; nil for other
    /// expressions.
    func integer(_ expression: ExprSyntax) -> Int? {
        let origins = origins(of: expression)
        guard origins.count == 1 else { return nil }
        if let sequence = origins[0].as(SequenceExprSyntax.self) {
            return product(Array(sequence.elements))
        }
        return Self.literal(origins[0])
    }

    /// Returns the product of the elements of `24 * 60 * 60`, or the value of a single expression.
    private func product(_ elements: [ExprSyntax]) -> Int? {
        if elements.count == 1 { return integer(elements[0]) }
        guard elements.count < 20 else { return nil }
        var product = 1
        for (place, element) in elements.enumerated() {
            if place % 2 == 1 {
                guard element.as(BinaryOperatorExprSyntax.self)?.operator.text == "*" else {
                    return nil
                }
                continue
            }
            guard let factor = Self.literal(element), factor < 1_000_000, product < 1_000_000_000
            else { return nil }
            product *= factor
        }
        return product
    }

    private static func literal(_ expression: ExprSyntax) -> Int? {
        guard let literal = expression.as(IntegerLiteralExprSyntax.self) else { return nil }
        return Int(literal.literal.text.filter { $0 != "_" })
    }
}
