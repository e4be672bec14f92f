import SwiftSyntax

/// Reports the success flag of an authorization request used as the user's answer.
///
/// The flag means that the request was handled. HealthKit doesn't reveal the answer about reading.
struct SuccessAsPermission: Rule {
    let name = "success-as-permission"
    let summary = "the success of requestAuthorization taken for permission"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        let files = target.files.filter { $0.uses.calls.contains { $0.isAuthorizationRequest } }
        guard !files.isEmpty else { return }
        var flags = FlagSearch(target)
        for file in files {
            for call in file.uses.calls
            where call.isAuthorizationRequest && call.calledName == "requestAuthorization" {
                if let closure = call.closures.last {
                    flags.add(closure, 0)
                } else {
                    flags.await(call)
                }
            }
        }
        flags.follow()
        for flag in flags.flags {
            guard let file = target.file(of: flag.scope) else { continue }
            review(flag, target, file, &report)
        }
        for call in flags.awaited {
            guard let file = target.file(of: call) else { continue }
            reviewAfter(call, target, file, &report)
        }
        for call in flags.answers {
            guard let file = target.file(of: call),
                let place = call.enclosing(SequenceExprSyntax.self),
                let assignment = Assignment(place), assignment.target.isPermission
            else { continue }
            addStored(assignment, target, file, &report)
        }
    }

    private static let storedMessage =
        "success means that the request was handled, not allowed: an app can't detect "
        + "what may be read, so query and show what comes"
    private static let reportedMessage =
        "success doesn't mean that a person agreed: show the data, or that there is none, without "
        + "a claim about permission"

    private func review(_ flag: Flag, _ target: Target, _ file: SourceFile, _ report: inout Report)
    {
        var reportedConditions: Set<SyntaxIdentifier> = []
        for node in Syntax(flag.scope).descendants {
            if let sequence = node.as(SequenceExprSyntax.self) {
                if let assignment = Assignment(sequence) {
                    if assignment.entersAnswer(of: flag) {
                        report.add(Self.reportedMessage, at: sequence, in: file)
                        continue
                    }
                    guard stores(assignment, flag, target, file, &report),
                        assignment.isGrant
                    else { continue }
                    flag.condition(of: sequence).map { _ = reportedConditions.insert($0.id) }
                } else if sequence.saysAnswer(of: flag) {
                    report.add(Self.reportedMessage, at: sequence, in: file)
                }
            } else if let call = node.as(FunctionCallExprSyntax.self), call.keeps(flag) {
                addStored(call, target, file, &report)
                flag.condition(of: call).map { _ = reportedConditions.insert($0.id) }
            } else if node.namesAnswer(of: flag) {
                report.add(Self.reportedMessage, at: node, in: file)
                flag.condition(of: node).map { _ = reportedConditions.insert($0.id) }
            }
        }
        for condition in flag.conditions
        where !reportedConditions.contains(condition.node.id) && condition.saysAnswer {
            report.add(Self.reportedMessage, at: condition.place, in: file)
        }
    }

    /// Reports an assignment that stores the flag as a permission, and returns whether it does.
    private func stores(
        _ assignment: Assignment, _ flag: Flag, _ target: Target, _ file: SourceFile,
        _ report: inout Report
    ) -> Bool {
        if assignment.value.contains(where: { $0.mentions(flag.name) }) {
            if assignment.value.contains(where: \.saysPermission) {
                report.add(Self.storedMessage, at: assignment.node, in: file)
                return true
            }
            guard assignment.target.isPermission else { return false }
        } else {
            guard assignment.target.isPermission, assignment.isGrant,
                flag.isPassed(at: assignment.node)
            else { return false }
        }
        addStored(assignment, target, file, &report)
        return true
    }

    /// Adds a finding for a variable; a note if the variable shows nothing to anybody.
    private func addStored(
        _ assignment: Assignment, _ target: Target, _ file: SourceFile, _ report: inout Report
    ) {
        let name = assignment.target.bare.lastName ?? ""
        let isShown = target.permissionUse(ofVariable: name) == .shown
        report.add(
            Self.storedMessage, at: assignment.node, in: file,
            severity: isShown ? severity : .note)
    }

    /// Adds a finding for a value in UserDefaults; a note if it shows nothing to anybody.
    private func addStored(
        _ call: FunctionCallExprSyntax, _ target: Target, _ file: SourceFile,
        _ report: inout Report
    ) {
        let key = call.argument("forKey").flatMap { target.constantText(of: $0) }
        let isShown = key.map { target.permissionUse(ofKey: $0) == .shown } ?? false
        report.add(Self.storedMessage, at: call, in: file, severity: isShown ? severity : .note)
    }

    /// Reports `isAuthorized = true` after `try await store.requestAuthorization(…)`.
    private func reviewAfter(
        _ call: FunctionCallExprSyntax, _ target: Target, _ file: SourceFile,
        _ report: inout Report
    ) {
        let function = call.enclosingFunction
        for assignment in file.uses.assignments
        where assignment.node.position > call.position && assignment.node.isInside(function) {
            guard !assignment.node.isConditional(after: call),
                !call.isAlternative(to: assignment.node),
                assignment.node.enclosing(CatchClauseSyntax.self) == nil
            else { continue }
            if assignment.target.isPermission, assignment.isGrant {
                addStored(assignment, target, file, &report)
            } else if assignment.value.contains(where: { Syntax($0).indicatesPermission }) {
                report.add(Self.reportedMessage, at: assignment.node, in: file)
            }
        }
        for other in file.uses.calls
        where other.position > call.position && other.isInside(function) {
            guard !other.isConditional(after: call),
                other.enclosing(CatchClauseSyntax.self) == nil
            else { continue }
            if other.keepsTrue {
                addStored(other, target, file, &report)
            } else if other.recordsGrant {
                report.add(Self.reportedMessage, at: other, in: file)
            }
        }
    }
}

// MARK: - Flags

/// A name that holds a request's success, and its scope.
struct Flag {
    let name: String
    /// The statements of the closure or block.
    let scope: CodeBlockItemListSyntax

    /// A condition that tests the flag.
    struct Condition {
        let node: Syntax
        /// The node that a finding points at.
        let place: Syntax
        /// The code that runs depending on the flag.
        let branches: [Syntax]
        let isGuard: Bool
    }

    var conditions: [Condition] {
        scope.descendantsOfStatements.compactMap { node in
            if let node = node.as(IfExprSyntax.self), let place = testedFlag(in: node.conditions) {
                let branches = [Syntax(node.body), node.elseBody.map { Syntax($0) }].compactMap {
                    $0
                }
                return Condition(
                    node: Syntax(node), place: place, branches: branches, isGuard: false)
            }
            if let node = node.as(GuardStmtSyntax.self), let place = testedFlag(in: node.conditions)
            {
                return Condition(
                    node: Syntax(node), place: place, branches: [Syntax(node.body)], isGuard: true)
            }
            return nil
        }
    }

    private func testedFlag(in conditions: ConditionElementListSyntax) -> Syntax? {
        conditions.mentions(name) ? conditions.first.map { Syntax($0) } : nil
    }

    /// Returns whether an argument is the flag: itself, `success && error == nil`, or `true` where
    /// the flag was tested.
    func isPassed(as argument: LabeledExprSyntax) -> Bool {
        if argument.expression.as(DeclReferenceExprSyntax.self)?.baseName.text == name {
            return true
        }
        if argument.expression.is(SequenceExprSyntax.self) {
            return argument.expression.mentions(name)
                && argument.expression.all(UnresolvedTernaryExprSyntax.self).isEmpty
        }
        let literal = argument.expression.as(BooleanLiteralExprSyntax.self)?.literal
        return literal?.tokenKind == .keyword(.true) && isPassed(at: argument)
    }

    /// Returns the nearest `if` or `switch` around a node in the scope.
    func condition(of node: some SyntaxProtocol) -> Syntax? {
        var inner = Syntax(node)
        while let outer = inner.parent, outer.id != Syntax(scope).id {
            if outer.is(IfExprSyntax.self) || outer.is(SwitchExprSyntax.self) { return outer }
            inner = outer
        }
        return nil
    }

    /// Returns whether a node is only reached if the flag is true, without other conditions.
    func isPassed(at node: some SyntaxProtocol) -> Bool {
        if let condition = condition(of: node) {
            guard let choice = condition.as(IfExprSyntax.self), choice.conditions.mentions(name)
            else {
                return false
            }
            let denies = choice.conditions.trimmedDescription.hasPrefix("!")
            return denies ? !node.isInside(choice.body) : node.isInside(choice.body)
        }
        return scope.descendantsOfStatements.contains { other in
            guard let check = other.as(GuardStmtSyntax.self) else { return false }
            return check.position < node.position && check.conditions.mentions(name)
                && check.parent?.parent.map { node.isInside($0) } == true
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the call gives other code a text that records a grant:
    /// `register(id, status: "access_granted")`.
    fileprivate var recordsGrant: Bool {
        guard calledName?.first?.isLowercase == true, calledName?.hasSuffix("Error") == false,
            !PermissionVocabulary.logs.contains(calledName ?? ""), !Syntax(self).isLogEntry
        else { return false }
        return arguments.contains { argument in
            guard let words = argument.expression.bare.plainString?.camelCaseWords,
                words.count < 8
            else { return false }
            let isGrant = words.contains { ["granted", "authorized", "authorised"].contains($0) }
            return isGrant
                && !words.contains { ["not", "if", "when", "request", "no"].contains($0) }
        }
    }
}

extension Assignment {
    /// Returns whether the flag is entered into a dictionary that is handed on as permissions:
    /// `map[name] = success` before `call.resolve(["permissions": map])`.
    fileprivate func entersAnswer(of flag: Flag) -> Bool {
        guard let entry = target.bare.as(SubscriptCallExprSyntax.self),
            let map = entry.calledExpression.bare.ownName,
            singleValue?.bare.ownName == flag.name
        else { return false }
        return flag.scope.all(DictionaryElementSyntax.self).contains { element in
            element.position > node.position && element.value.bare.ownName == map
                && element.key.bare.plainString.map(PermissionVocabulary.isPermission) == true
        }
    }
}

extension Flag.Condition {
    /// Whether the flag decides what is shown about a grant or denial.
    fileprivate var saysAnswer: Bool {
        branches.contains { $0.indicatesPermission || $0.setsDenial || $0.passesAnswer }
            || isGuard && followingStatements.contains(where: \.indicatesPermission)
    }

    /// The statements after a `guard`.
    private var followingStatements: [Syntax] {
        let statements = node.parent?.parent?.as(CodeBlockItemListSyntax.self)
        return statements?.filter { $0.position > node.position }.map { Syntax($0) } ?? []
    }
}

/// Follows a success flag from the request through the target's completions and functions.
private struct FlagSearch {
    private(set) var flags: [Flag] = []
    /// Awaited requests, and awaited functions that make one.
    private(set) var awaited: [FunctionCallExprSyntax] = []
    /// Calls of functions that return a success flag.
    private(set) var answers: [FunctionCallExprSyntax] = []
    private var pending: [Flag] = []
    private var seen: Set<SyntaxIdentifier> = []
    private let target: Target

    init(_ target: Target) { self.target = target }

    mutating func add(_ closure: ClosureExprSyntax, _ place: Int) {
        guard let name = closure.parameter(place), seen.insert(closure.id).inserted else { return }
        pending.append(Flag(name: name, scope: closure.statements))
    }

    /// Adds an awaited request, and the functions that only make it.
    mutating func await(_ call: FunctionCallExprSyntax) {
        guard call.enclosing(AwaitExprSyntax.self) != nil, seen.insert(call.id).inserted else {
            return
        }
        awaited.append(call)
        guard let function = call.enclosing(FunctionDeclSyntax.self), awaited.count < 100,
            function.signature.effectSpecifiers?.asyncSpecifier != nil
        else { return }
        if function.signature.returnClause?.type.baseName == "Bool" {
            guard function.returnsTrue(after: call) else { return }
            for answer in target.calls(of: function) { addResult(answer.call) }
        } else if PermissionVocabulary.namesRequest(function.name.text) {
            for other in target.calls(of: function) { self.await(other.call) }
        }
    }

    mutating func follow() {
        while let flag = pending.popLast() {
            flags.append(flag)
            guard flags.count < 200 else { return }
            for call in flag.scope.all(FunctionCallExprSyntax.self) { pass(flag, to: call) }
        }
    }

    /// Follows a flag into a call: `completion(success)`, `show(success)`,
    /// `continuation.resume(returning: success)`.
    private mutating func pass(_ flag: Flag, to call: FunctionCallExprSyntax) {
        for (place, argument) in call.arguments.enumerated() where flag.isPassed(as: argument) {
            if let parameter = target.calledParameter(of: call) {
                for closure in target.closures(passedFor: parameter) { add(closure, place) }
            } else if call.calledName == "resume", argument.label?.text == "returning",
                let function = call.enclosing(FunctionDeclSyntax.self)
            {
                for answer in target.calls(of: function) { addResult(answer.call) }
            } else if let function = target.function(calledBy: call), let body = function.body {
                let known = KnownCall(function: function, call: call)
                let parameters = function.signature.parameterClause.parameters
                for parameter in parameters
                where known.argument(for: parameter)?.id == argument.expression.id
                    && seen.insert(parameter.id).inserted
                {
                    pending.append(Flag(name: parameter.ownName, scope: body.statements))
                }
            }
        }
    }

    /// Follows a function's result: assigned directly, or stored in a constant first.
    private mutating func addResult(_ answer: FunctionCallExprSyntax) {
        guard seen.insert(answer.id).inserted else { return }
        answers.append(answer)
        var node = Syntax(answer)
        while let outer = node.parent {
            if let binding = outer.as(PatternBindingSyntax.self) {
                guard let name = binding.boundName,
                    let scope = binding.enclosing(CodeBlockItemListSyntax.self)
                else { return }
                return pending.append(Flag(name: name, scope: scope))
            }
            guard [.initializerClause, .tryExpr, .awaitExpr].contains(outer.kind) else { return }
            node = outer
        }
    }
}

extension FunctionDeclSyntax {
    /// Returns whether the function returns `true` once an awaited request has ended.
    fileprivate func returnsTrue(after call: FunctionCallExprSyntax) -> Bool {
        all(ReturnStmtSyntax.self).contains { node in
            let literal = node.expression?.as(BooleanLiteralExprSyntax.self)?.literal
            return literal?.tokenKind == .keyword(.true) && node.position > call.position
                && node.enclosing(CatchClauseSyntax.self) == nil
                && !node.isConditional(after: call)
        }
    }
}
