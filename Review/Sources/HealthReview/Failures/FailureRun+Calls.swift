import SwiftSyntax

extension FailureRun {
    mutating func value(of call: FunctionCallExprSyntax) -> FailureValue {
        if let outcome = assumed[call.id] {
            for argument in call.arguments { _ = value(of: argument.expression) }
            hasFailed = true
            switch outcome {
            case .throwing:
                isThrowing = true
                return .unknown
            case .returning(let value): return value
            }
        }
        if let closure = call.calledExpression.bare.as(ClosureExprSyntax.self) {
            return result(of: closure, [])
        }
        if call.base?.bare.isOwn == false, let base = call.base {
            let receiver = value(of: base)
            if isThrowing || isStopped { return .unknown }
            if let known = method(call, of: receiver) { return known }
        }
        let isLog = call.isReport
        let values = isLog ? observed { $0.arguments(of: call) } : arguments(of: call)
        if isThrowing || isStopped { return .unknown }
        return result(of: call, values)
    }

    private mutating func arguments(of call: FunctionCallExprSyntax) -> [FailureValue] {
        var expressions = call.arguments.map(\.expression)
        expressions += [call.trailingClosure.map { ExprSyntax($0) }].compactMap { $0 }
        expressions += call.additionalTrailingClosures.map { ExprSyntax($0.closure) }
        return expressions.map { value(of: $0) }
    }

    /// Returns the result of a method of a list or of nil; nil if the call isn't decided by that.
    private mutating func method(
        _ call: FunctionCallExprSyntax, of receiver: FailureValue
    ) -> FailureValue? {
        let name = call.calledName ?? ""
        if receiver.isMadeUp, name == "write" {
            add(.call(call, [receiver]))
            return .unknown
        }
        switch receiver {
        case .missing: return .missing
        case .failure where name == "get" && call.arguments.isEmpty:
            // `try result.get()` of a `Result` that is a failure.
            isThrowing = true
            return .unknown
        case .empty, .emptyLiteral:
            switch name {
            case "reduce":
                let start = call.arguments.first.map { value(of: $0.expression) } ?? .unknown
                return start.asResult
            case "first", "last", "max", "min", "randomElement": return .missing
            case "contains": return .no
            case "allSatisfy": return .yes
            case "forEach", "append", "insert", "enumerateStatistics": return .unknown
            case "joined": return .unknown
            default: return .empty
            }
        case .zero, .literal: return .zero
        case .partial where Self.listMethods.contains(name):
            for closure in call.closures { _ = value(of: ExprSyntax(closure)) }
            return .partial
        case .closure(let closure) where name == "callAsFunction":
            return result(of: closure, arguments(of: call))
        default: return nil
        }
    }

    /// Methods whose result holds what the list holds.
    private static let listMethods: Set<String> = [
        "sorted", "reversed", "filter", "map", "compactMap", "flatMap", "prefix", "suffix",
        "dropFirst", "dropLast", "reduce", "merging",
    ]

    private mutating func result(
        of call: FunctionCallExprSyntax, _ values: [FailureValue]
    ) -> FailureValue {
        let name = call.calledName ?? ""
        if call.isListOfZeros { return .literal }
        if ["append", "insert"].contains(name), values.contains(.zero) || values.contains(.partial),
            let list = call.base?.bare.ownName
        {
            names[list] = .partial
        }
        if let own = call.calledExpression.bare.ownName, case .closure(let closure) = names[own] {
            return result(of: closure, values)
        }
        if runsInPlace(call) {
            for case .closure(let closure) in values { _ = result(of: closure, []) }
            return .unknown
        }
        if FunctionCallExprSyntax.runAtOnce.contains(name), name != "sync" {
            for case .closure(let closure) in values { perhaps(closure) }
            return .unknown
        }
        if isObserving { return of(values, call) }
        if receivesKnown(call, values), let function = followed(call) {
            return result(of: function, call, values)
        }
        if hasFailed, !call.isReport {
            let tellsNo =
                values.contains(.no)
                && (name == "resume" || target.calledParameter(of: call) != nil)
            if values.contains(.failure) || tellsNo || name.namesFailure { isTold = true }
        }
        add(.call(call, values))
        return of(values, call)
    }

    /// Returns the value of a call that isn't followed: a converted number stays what it is, a
    /// struct contains its arguments.
    private func of(_ values: [FailureValue], _ call: FunctionCallExprSyntax) -> FailureValue {
        let name = call.calledName ?? ""
        if values.count == 1, let only = values.first {
            if [
                "Double", "Int", "Float", "CGFloat", "NSNumber", "Set", "Array", "Optional", "some",
                "success", "failure", "round", "floor", "max", "min", "abs", "HKError", "NSError",
            ].contains(name) {
                return name == "success" ? only.asResult : only
            }
        }
        if values.contains(.failure) { return .failure }
        let isMaking = name.first?.isUppercase == true || Self.makers.contains(name)
        return isMaking ? FailureValue(of: values) : .unknown
    }

    /// Names of calls whose result contains what they are given.
    private static let makers: Set<String> = [
        "init", "encode", "data", "archivedData", "dictionary", "string",
    ]

    /// Returns whether a call is given something that the failure decides.
    private func receivesKnown(_ call: FunctionCallExprSyntax, _ values: [FailureValue]) -> Bool {
        zip(values, call.arguments).contains { value, argument in
            value.isMadeUp || value == .failure
                || value == .missing && !argument.expression.is(NilLiteralExprSyntax.self)
        }
    }

    /// The function that a call is followed into.
    private func followed(_ call: FunctionCallExprSyntax) -> FunctionDeclSyntax? {
        guard functions.count < 8, let function = target.function(calledBy: call),
            function.body != nil, !functions.contains(function.id)
        else { return nil }
        return function
    }

    private mutating func result(
        of function: FunctionDeclSyntax, _ call: FunctionCallExprSyntax, _ values: [FailureValue]
    ) -> FailureValue {
        guard let body = function.body else { return .unknown }
        let outside = names
        var inside: [String: FailureValue] = [:]
        let known = KnownCall(function: function, call: call)
        let expressions = call.arguments.map(\.expression)
        for (name, argument) in known.arguments {
            if let place = expressions.firstIndex(where: { $0.id == argument.id }) {
                inside[name] = values[place]
            } else if let closure = argument.as(ClosureExprSyntax.self) {
                inside[name] = .closure(closure)
            } else if argument.is(NilLiteralExprSyntax.self) {
                inside[name] = .missing
            }
        }
        functions.append(function.id)
        names = inside
        let end = run(body.statements)
        names = outside
        functions.removeLast()
        if end == .threw { isThrowing = true }
        return .unknown
    }

    /// Follows a closure that runs on the way, with its arguments.
    mutating func result(of closure: ClosureExprSyntax, _ values: [FailureValue]) -> FailureValue {
        depth += 1
        defer { depth -= 1 }
        guard mayStep(), functions.count < 12, !functions.contains(closure.id) else {
            return .unknown
        }
        for (place, value) in values.enumerated() {
            if let name = closure.parameter(place) { names[name] = value }
        }
        functions.append(closure.id)
        let end = run(closure.statements)
        functions.removeLast()
        if end == .threw, closure.receivingCall?.calledName != "Task" { isThrowing = true }
        return .unknown
    }

    /// Follows a closure that may run or not.
    private mutating func perhaps(_ closure: ClosureExprSyntax) {
        let before = self
        _ = result(of: closure, [])
        merge(before)
    }

    /// Returns whether a run follows the closures of a call itself.
    func enters(_ call: FunctionCallExprSyntax) -> Bool {
        runsInPlace(call) || FunctionCallExprSyntax.runAtOnce.contains(call.calledName ?? "")
    }

    /// Returns whether a call runs its closure now or a little later, once.
    private func runsInPlace(_ call: FunctionCallExprSyntax) -> Bool {
        let name = call.calledName ?? ""
        return [
            "Task", "detached", "async", "asyncAfter", "withAnimation", "perform", "sync", "run",
            "performAndWait", "addOperation", "autoreleasepool", "withLock",
        ].contains(name) && !call.closures.isEmpty
    }
}

extension FunctionCallExprSyntax {
    /// Whether the call makes a list to add to: `Array(repeating: 0, count: 24)`.
    fileprivate var isListOfZeros: Bool {
        guard let element = argument("repeating"), argument("count") != nil else { return false }
        return element.as(IntegerLiteralExprSyntax.self)?.literal.text == "0"
            || element.as(FloatLiteralExprSyntax.self).flatMap { Double($0.literal.text) } == 0
    }

    /// Whether the call only writes to a log or ends the process.
    var isReport: Bool {
        let name = calledName ?? ""
        if [
            "print", "debugPrint", "NSLog", "os_log", "dump", "assertionFailure", "fatalError",
            "preconditionFailure", "recordError", "addBreadcrumb",
        ].contains(name) {
            return true
        }
        let owner = base?.bare.lastName ?? ""
        let words = name.camelCaseWords + owner.camelCaseWords
        return !Self.logWords.isDisjoint(with: words.map { $0.lowercased() })
            || name.hasPrefix("DDLog")
    }

    private static let logWords: Set<String> = [
        "log", "logger", "logging", "print", "crashlytics", "sentry", "breadcrumb", "debug",
        "trace",
    ]
}

extension String {
    /// Whether a name is about a failure: `showError`, `presentAlert`, `failed`.
    var namesFailure: Bool {
        camelCaseWords.contains {
            [
                "error", "errors", "fail", "failed", "failure", "alert", "warning", "reject",
                "problem",
            ]
            .contains($0)
        }
    }
}
