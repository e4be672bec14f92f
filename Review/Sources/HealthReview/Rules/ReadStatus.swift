import HealthEngine
import SwiftSyntax

/// Reports `authorizationStatus(for:)` used to infer read access, which it doesn't cover.
struct ReadStatus: Rule {
    let name = "read-status"
    let summary =
        "authorizationStatus(for:), which describes sharing only, used to infer read access"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        let files = target.files.filter {
            $0.uses.names.contains("authorizationStatus") && $0.mentionsStore
        }
        guard !files.isEmpty else { return }
        let requests = target.authorization
        let written = target.writtenTypes
        var told: Set<SyntaxIdentifier> = []
        for file in files {
            for call in file.uses.calls where isStatus(call, target) {
                if let message = message(on: call, requests, written, target) {
                    if call.isInBranchForReading {
                        guard told.insert(call.enclosingFunction.id).inserted else { continue }
                    }
                    report.add(message, at: call, in: file)
                } else if let answer = target.bridgedAnswer(of: call, requests),
                    told.insert(answer.id).inserted
                {
                    report.add(Self.bridgedMessage, at: call, in: file)
                }
            }
        }
    }

    private static let bridgedMessage =
        "an app across the bridge that only reads always hears no: the status is about sharing only, "
        + "so answer with it for writing alone"

    /// Returns whether the call is on a health store, and not on another framework's class.
    private func isStatus(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        guard call.calledName == "authorizationStatus", let type = call.argument("for"),
            let base = call.base
        else { return false }
        if let name = target.typeName(of: base) { return name == "HKHealthStore" }
        let name =
            base.bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? base.bare.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
        if name.first?.isUppercase == true { return false }
        return name.lowercased().contains("health") || name.lowercased().hasSuffix("store")
            || target.sampleTypes(of: type).areKnown
    }

    private func message(
        on call: FunctionCallExprSyntax, _ requests: AuthorizationRequests,
        _ written: [SampleType], _ target: Target
    ) -> String? {
        guard let argument = call.argument("for") else { return nil }
        let types = target.sampleTypes(of: argument)
        let shared = types.known.filter { type in
            requests.shared.known.contains(type) || written.contains(type)
        }
        let readOnly = types.known.filter { !shared.contains($0) }
        let isKnown = types.areKnown && !requests.calls.isEmpty && requests.shared.isComplete
        // In a loop over all types, those that are only read get a wrong answer.
        let isOfEach = isKnown && !readOnly.isEmpty && target.collection(of: argument) != nil
        guard !call.asksWhetherAsked, !gatesSave(call) else { return nil }
        if call.isInBranchForReading {
            return
                "access looks denied to people who allow reading: the status is about sharing only, "
                + "so leave it out where reading is asked about"
        }
        guard shared.isEmpty || isOfEach else {
            guard
                isNamedForReading(call) || gatesRead(Syntax(call), target)
                    || gatesReadOfCallers(call, target)
            else { return nil }
            return
                "access looks denied to people who allow reading but not writing: the status is about "
                + "sharing only; query and show what comes"
        }
        if isKnown, let type = readOnly.first {
            return
                "access looks denied to people who allow reading: the status is about sharing, which is "
                + "never requested for \(type.name); query and show what comes"
        }
        if isNamedForReading(call) || isLoopOverRead(argument, requests, target)
            || isForElementOfRead(call, argument) || gatesRead(Syntax(call), target)
            || gatesReadOfCallers(call, target)
        {
            return
                "access may look denied to people who allow reading: the status is about sharing "
                + "only; query and show what comes"
        }
        return nil
    }

    /// Returns whether the status is checked for each type that a request reads, and it shares
    /// others.
    private func isLoopOverRead(
        _ argument: ExprSyntax, _ requests: AuthorizationRequests, _ target: Target
    ) -> Bool {
        guard let name = target.collection(of: argument).flatMap({ name(of: $0, target) }) else {
            return false
        }
        let asked = requests.calls.map(\.call)
        return asked.contains { $0.readArgument.flatMap { self.name(of: $0, target) } == name }
            && !asked.contains { $0.shareArgument.flatMap { self.name(of: $0, target) } == name }
            && requests.shared.isComplete
    }

    private func name(of expression: ExprSyntax, _ target: Target) -> String? {
        target.ownMemberName(expression) ?? expression.bare.ownName
            ?? (ExprSyntax(expression.bare).isRootedInType ? expression.bare.shortText : nil)
    }

    /// Returns whether the status is asked for each element of a list that is named for reading:
    /// `for name in read { … authorizationStatus(for: type(named: name)) … }`.
    private func isForElementOfRead(
        _ call: FunctionCallExprSyntax, _ argument: ExprSyntax
    ) -> Bool {
        var node = Syntax(call)
        while let outer = node.parent, !outer.is(FunctionDeclSyntax.self) {
            if let loop = outer.as(ForStmtSyntax.self), node == Syntax(loop.body) {
                return isNamedForReading(list: loop.sequence)
                    && loop.pattern.all(IdentifierPatternSyntax.self).contains {
                        derives(argument, from: $0.identifier.text, in: Syntax(loop))
                    }
            }
            if let closure = outer.as(ClosureExprSyntax.self),
                let list = closure.collection(ofParameter: 0),
                let element = closure.parameter(0)
            {
                return isNamedForReading(list: list)
                    && derives(argument, from: element, in: Syntax(closure))
            }
            node = outer
        }
        return false
    }

    private func isNamedForReading(list: ExprSyntax) -> Bool {
        let words = (list.bare.lastName ?? "").camelCaseWords.map { $0.lowercased() }
        return words.contains { ["read", "reading", "readable"].contains($0) }
            && words.allSatisfy { !$0.hasPrefix("writ") && !$0.hasPrefix("shar") }
    }

    /// Returns whether an argument is an element, or what a `let` in the loop makes of it.
    private func derives(_ argument: ExprSyntax, from element: String, in loop: Syntax) -> Bool {
        if argument.mentions(element) { return true }
        guard let name = argument.bare.ownName else { return false }
        let values =
            loop.all(OptionalBindingConditionSyntax.self).compactMap { binding in
                binding.pattern.shortText == name ? binding.initializer?.value : nil
            }
            + loop.all(PatternBindingSyntax.self).compactMap { binding in
                binding.boundName == name ? binding.initializer?.value : nil
            }
        return values.contains { $0.mentions(element) }
    }

    /// Returns whether the enclosing declaration is named for reading: `func canRead…`,
    /// `let hasReadAccess`.
    private func isNamedForReading(_ call: FunctionCallExprSyntax) -> Bool {
        let names = [
            call.enclosing(FunctionDeclSyntax.self)?.name.text,
            call.enclosing(PatternBindingSyntax.self)?.boundName,
        ]
        return names.compactMap { $0?.lowercased() }.contains { name in
            Self.readingNames.contains { name.contains($0) } && !name.contains("write")
        }
    }

    private static let readingNames = [
        "canread", "readaccess", "readpermission", "hasread", "readauthorized", "readallowed",
        "readgranted", "readdenied", "checkread", "mayread", "allowedtoread", "authorizedtoread",
        "permissiontoread",
    ]

    /// Returns whether the function that contains this status check saves or deletes after it.
    private func gatesSave(_ call: FunctionCallExprSyntax) -> Bool {
        let function = call.enclosingFunction
        guard function.kind != .sourceFile, function.kind != .memberBlockItem else { return false }
        return function.all(FunctionCallExprSyntax.self)
            .contains { $0.position > call.position && Self.saves($0) }
    }

    /// Returns whether the status, or what stands for it, decides about a read in the function, and
    /// the function saves nothing.
    private func gatesRead(_ status: Syntax, _ target: Target) -> Bool {
        let function = status.enclosingFunction
        guard function.kind != .sourceFile, function.kind != .memberBlockItem else { return false }
        let calls = function.all(FunctionCallExprSyntax.self)
        guard !calls.contains(where: { Self.saves($0) }) else { return false }
        return calls.contains { other in
            other.position > status.position && isDecided(other, by: status)
                && reads(other, target)
        }
    }

    /// Returns whether a function or property that answers with the status decides about reads
    /// elsewhere, and never about a save: `guard isAuthorized(for: type) else { … }`.
    ///
    /// - Complexity: O(nodes of the files that mention the property), for such properties only.
    private func gatesReadOfCallers(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        var uses: [Syntax] = []
        if let function = call.enclosingFunction.as(FunctionDeclSyntax.self) {
            guard function.signature.returnClause?.type.trimmedDescription == "Bool" else {
                return false
            }
            uses = target.calls(of: function).map { Syntax($0.call) }
        } else if let binding = call.enclosing(PatternBindingSyntax.self),
            binding.accessorBlock != nil, let name = binding.boundName,
            target.index.computed[name]?.count == 1
        {
            uses = target.files.filter { $0.uses.names.contains(name) }.flatMap { file in
                file.uses.memberAccesses.filter { $0.declName.baseName.text == name }
                    .map { Syntax($0) }
            }
            uses += call.enclosingType?.node.references(to: name) ?? []
        }
        guard !uses.isEmpty, uses.count < 16 else { return false }
        let isForSaving = uses.contains { use in
            use.enclosingFunction.all(FunctionCallExprSyntax.self).contains { Self.saves($0) }
        }
        return !isForSaving && uses.contains { gatesRead($0, target) }
    }

    private static func saves(_ call: FunctionCallExprSyntax) -> Bool {
        let name = call.calledName ?? ""
        return [
            "save", "delete", "deleteObjects", "HKQuantitySample", "HKCategorySample",
            "HKCorrelation",
        ]
        .contains(name)
            || ["save", "write", "log", "share", "store"].contains {
                name.lowercased().hasPrefix($0) && name != "log"
            }
    }

    /// Returns whether the call constructs a query, or calls a function of the target that does.
    private func reads(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        if let query = HealthQuery(call) { return query.kind != .source }
        guard let function = target.function(named: call.calledExpression), let body = function.body
        else { return false }
        let calls = body.all(FunctionCallExprSyntax.self)
        return calls.contains { HealthQuery($0) != nil } && !calls.contains { Self.saves($0) }
    }

    /// Returns whether a status decides if a call is reached: in an `if` or `switch`, or after a
    /// `guard`.
    private func isDecided(_ call: FunctionCallExprSyntax, by status: Syntax) -> Bool {
        var asks = [status]
        let name = status.enclosing(PatternBindingSyntax.self)?.boundName ?? status.assignedName
        if let name { asks += status.enclosingFunction.references(to: name) }
        return asks.contains { ask in
            var node = ask
            while let outer = node.parent {
                if let check = outer.as(GuardStmtSyntax.self) {
                    return ask.isInside(check.conditions) && call.position > check.position
                }
                if let choice = outer.as(IfExprSyntax.self), ask.isInside(choice.conditions) {
                    return call.isInside(choice)
                        || choice.body.leaves && call.position > choice.position
                }
                if let choice = outer.as(SwitchExprSyntax.self), ask.isInside(choice.subject) {
                    return call.isInside(choice)
                }
                if outer.is(FunctionDeclSyntax.self) { return false }
                node = outer
            }
            return false
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the status is only compared with `.notDetermined`, which says whether to ask.
    fileprivate var asksWhetherAsked: Bool {
        guard let list = parent?.as(ExprListSyntax.self), list.count == 3 else { return false }
        return list.contains {
            $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "notDetermined"
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the status decides in a branch for reading: `if mode == 0 { // READ`,
    /// `case "read":`.
    fileprivate var isInBranchForReading: Bool {
        var node = Syntax(self)
        while let outer = node.parent, !outer.is(FunctionDeclSyntax.self) {
            if let choice = outer.as(IfExprSyntax.self), node == Syntax(choice.body) {
                if choice.conditions.contains(where: { $0.condition.asksAboutReading }) {
                    return true
                }
            } else if let branch = outer.as(SwitchCaseSyntax.self),
                let choice = branch.enclosing(SwitchExprSyntax.self),
                case .case(let label) = branch.label
            {
                let isOfAccess = choice.subject.namesAccess
                let asks = label.caseItems.contains { item in
                    guard let value = item.pattern.as(ExpressionPatternSyntax.self)?.expression
                    else { return false }
                    return value.meansReading || isOfAccess && value.shortText == "0"
                }
                if asks { return true }
            }
            node = outer
        }
        return false
    }
}

extension ConditionElementSyntax.Condition {
    /// Whether a condition holds where reading is asked about: `mode == 0`, `kind == .read`,
    /// `permission.hasPrefix("READ_")`.
    fileprivate var asksAboutReading: Bool {
        guard case .expression(let condition) = self else { return false }
        if let call = condition.bare.as(FunctionCallExprSyntax.self), call.calledName == "hasPrefix"
        {
            return call.unlabelledArgument(0)?.meansReading == true
        }
        guard let sequence = condition.bare.as(SequenceExprSyntax.self) else { return false }
        let parts = Array(sequence.elements)
        let signs = parts.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
        guard signs.allSatisfy({ ["==", "||"].contains($0) }) else { return false }
        return parts.indices.contains { place in
            guard parts[place].as(BinaryOperatorExprSyntax.self)?.operator.text == "==",
                parts.indices.contains(place + 1), place > 0
            else { return false }
            return parts[place + 1].meansReading
                || parts[place - 1].namesAccess && parts[place + 1].shortText == "0"
        }
    }
}

extension ExprSyntax {
    /// Whether a value is named for reading alone: `.read`, `"READ"`.
    fileprivate var meansReading: Bool {
        let text = bare.plainString ?? bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        guard let words = text?.camelCaseWords, words.first == "read" else { return false }
        return words.allSatisfy { !$0.hasPrefix("writ") }
    }

    /// Whether a value says which access is asked about: `mode`, `access[index]`.
    fileprivate var namesAccess: Bool {
        let place = bare.as(SubscriptCallExprSyntax.self)?.calledExpression.bare ?? bare
        let words = place.lastName?.camelCaseWords ?? []
        return words.contains {
            ["access", "accesses", "mode", "modes", "permission", "permissions"].contains($0)
        }
    }
}

extension Syntax {
    /// The variable of the statement that assigns it what this node decides.
    fileprivate var assignedName: String? {
        var node = self
        while let outer = node.parent, !outer.is(FunctionDeclSyntax.self) {
            if let assignment = outer.as(SequenceExprSyntax.self).flatMap({ Assignment($0) }) {
                return isInside(assignment.target) ? nil : assignment.ownName
            }
            if outer.is(CodeBlockItemSyntax.self), !outer.parentIsClosure { return nil }
            node = outer
        }
        return nil
    }

    /// Whether the statement is one of a closure.
    private var parentIsClosure: Bool { parent?.parent?.is(ClosureExprSyntax.self) == true }
}

extension CodeBlockSyntax {
    /// Whether the block ends by leaving the function.
    fileprivate var leaves: Bool {
        guard let last = statements.last?.item else { return false }
        return Syntax(last).is(ReturnStmtSyntax.self) || Syntax(last).is(ThrowStmtSyntax.self)
    }
}

extension Target {
    /// The types of the samples that the target constructs, and so writes.
    fileprivate var writtenTypes: [SampleType] {
        ["HKQuantitySample", "HKCategorySample", "HKCorrelation"]
            .flatMap { index.calls[$0] ?? [] }
            .compactMap { $0.argument("type") }
            .flatMap { sampleTypes(of: $0).known }
    }
}
