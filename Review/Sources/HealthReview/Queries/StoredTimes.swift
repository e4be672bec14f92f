import SwiftSyntax

/// The times that a target keeps: the current time, or the date of a sample, stored under a key or
/// in a member in one function and read in another.
struct StoredTimes {
    private let target: Target

    init(_ target: Target) { self.target = target }

    /// A time that is stored, with the expression that makes it.
    private struct Time {
        let expression: ExprSyntax
        let isOfSample: Bool
    }

    /// Returns the values that a date is made from, behind conversions and arithmetic.
    ///
    /// - Complexity: bounded: 32 expressions.
    func sources(of date: ExprSyntax) -> [ExprSyntax] {
        var pending = [date]
        var found: [ExprSyntax] = []
        var steps = 0
        while let next = pending.popLast(), steps < 32 {
            for value in ValueSearch.values(of: next, target) {
                steps += 1
                let inner = value.expression.convertedDates
                pending += inner
                if inner.isEmpty { found.append(value.expression) }
            }
        }
        return found
    }

    /// Returns whether a member is set to a time anywhere, also by its type's construction.
    func isSet(member name: String) -> Bool {
        let assigned =
            (target.index.assignments[name] ?? []) + (target.index.memberAssignments[name] ?? [])
        if assigned.flatMap(\.value).contains(where: { !times(of: $0).isEmpty }) { return true }
        let files = target.files.filter { $0.uses.names.contains(name) }
        return files.flatMap(\.uses.calls).contains { call in
            guard call.constructedName?.first?.isUppercase == true || call.calledName == "init",
                let value = call.argument(name)
            else { return false }
            return !times(of: value).isEmpty
        }
    }

    /// Returns whether a key is set to a sample's date, or to the current time by code that reads
    /// from HealthKit around a node: in the node's function after it, in a function called after
    /// it, or after the call of the node's function.
    func isSet(key: String, around node: some SyntaxProtocol) -> Bool {
        written(under: key).flatMap { times(of: $0) }.contains { time in
            time.isOfSample || follows(time.expression, node)
        }
    }

    /// Returns the values that are stored under a key.
    private func written(under key: String) -> [ExprSyntax] {
        target.analyses.storedValues { storedValues }[key] ?? []
    }

    /// The values that the target stores, by key.
    private var storedValues: [String: [ExprSyntax]] {
        var values: [String: [ExprSyntax]] = [:]
        for name in ["set", "setValue", "setObject", "save", "store", "write"] {
            for call in target.index.calls[name] ?? [] {
                guard let argument = call.argument("forKey") ?? call.argument("key"),
                    let key = target.constantText(of: argument),
                    let value = call.unlabelledArgument(0)
                else { continue }
                values[key, default: []].append(value)
            }
        }
        for file in target.files
        where file.uses.names.contains("UserDefaults")
            || file.uses.names.contains("AppStorage")
        {
            for assignment in file.uses.assignments {
                guard let key = key(assignedBy: assignment) else { continue }
                values[key, default: []] += assignment.value
            }
        }
        return values
    }

    /// Returns the key of `defaults[key] = value`, or of a variable with `@AppStorage(key)`.
    private func key(assignedBy assignment: Assignment) -> String? {
        if let element = assignment.target.as(SubscriptCallExprSyntax.self),
            let index = element.arguments.first?.expression
        {
            return target.constantText(of: index)
        }
        guard let name = assignment.ownName,
            case .variable(_, let declaration) = target.binding(name, at: assignment.node)
        else { return nil }
        return declaration.attributes.storageKey
    }

    /// Returns the times that a value can be.
    private func times(of value: ExprSyntax) -> [Time] {
        sources(of: value).compactMap { source in
            if let call = source.as(FunctionCallExprSyntax.self) {
                let isNow = call.constructedName == "Date" && call.arguments.isEmpty
                return isNow ? Time(expression: source, isOfSample: false) : nil
            }
            guard let member = source.as(MemberAccessExprSyntax.self) else { return nil }
            switch member.declName.baseName.text {
            case "now": return Time(expression: source, isOfSample: false)
            case "endDate", "startDate":
                return member.base == nil ? nil : Time(expression: source, isOfSample: true)
            default: return nil
            }
        }
    }

    private func follows(_ time: ExprSyntax, _ node: some SyntaxProtocol) -> Bool {
        let function = node.enclosingFunction
        let writer = time.enclosingFunction
        if writer == function { return time.position > node.position }
        if let reader = function.as(FunctionDeclSyntax.self),
            target.calls(of: reader).contains(where: {
                $0.call.enclosingFunction == writer && time.position > $0.call.position
            })
        {
            return true
        }
        guard let writer = writer.as(FunctionDeclSyntax.self) else { return false }
        return target.calls(of: writer).contains {
            $0.call.enclosingFunction == function && $0.call.position > node.position
        }
    }
}

extension ExprSyntax {
    /// The values that a conversion or a calculation makes a date from; none for other expressions.
    fileprivate var convertedDates: [ExprSyntax] {
        if let member = self.as(MemberAccessExprSyntax.self), let base = member.base {
            let conversions = [
                "timeIntervalSince1970", "timeIntervalSinceReferenceDate", "doubleValue",
            ]
            return conversions.contains(member.declName.baseName.text) ? [base] : []
        }
        guard let call = self.as(FunctionCallExprSyntax.self), let name = call.calledName else {
            return []
        }
        switch name {
        case "Date", "init":
            return [
                call.argument("timeIntervalSince1970"),
                call.argument("timeIntervalSinceReferenceDate"),
            ].compactMap { $0 }
        case "Double", "Int", "TimeInterval", "String":
            return [call.unlabelledArgument(0)].compactMap { $0 }
        case "addingTimeInterval", "advanced", "formatted", "ISO8601Format":
            return [call.base].compactMap { $0 }
        case "date":
            return [call.argument("to") ?? call.argument("from")].compactMap { $0 }
        case "string": return [call.argument("from")].compactMap { $0 }
        case "startOfDay": return [call.argument("for")].compactMap { $0 }
        case "max", "min":
            guard call.base == nil else { return [] }
            return call.arguments.filter { $0.label == nil }.map(\.expression)
        case "map", "flatMap": return [call.base].compactMap { $0 }
        default: return []
        }
    }
}
