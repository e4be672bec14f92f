import SwiftSyntax

/// A body that is run after an operation of HealthKit failed, with what it does then.
struct FailurePassage {
    let run: FailureRun
    /// The closure or function.
    let owner: Syntax
    /// Where a 0 was made of the failure that this body received; nil if it received none.
    let origin: Syntax?
    /// The HealthKit call that failed: a query or a save.
    let source: Syntax
    /// The passages in between.
    let distance: Int
}

/// The bodies that a failure reaches: the handler, the closures it calls, and the callers of the
/// functions that throw or return because of it.
struct FailurePassages {
    private(set) var all: [FailurePassage] = []
    private var pending: [Step] = []
    private var seen: Set<String> = []
    private let target: Target

    private struct Step {
        let owner: Syntax
        var names: [String: FailureValue] = [:]
        var assumed: [SyntaxIdentifier: FailureRun.Outcome] = [:]
        var origin: Syntax?
        let source: Syntax
        var distance = 0
    }

    /// What failed. After a failed write the callers of a function that says nothing of it are
    /// followed too, since they go on as if it were done.
    enum Operation: Sendable {
        case read, write
    }
    private let operation: Operation

    init(_ target: Target, operation: Operation = .read) {
        (self.target, self.operation) = (target, operation)
    }

    /// Adds a handler with what HealthKit passes to it.
    mutating func start(
        _ handler: Syntax, _ names: [String: FailureValue], of source: some SyntaxProtocol
    ) {
        pending.append(Step(owner: handler, names: names, source: Syntax(source)))
    }

    /// Adds an awaited call that throws, or that answers with something known.
    mutating func start(_ call: FunctionCallExprSyntax, _ outcome: FailureRun.Outcome = .throwing) {
        pending.append(
            Step(
                owner: target.runBody(of: call), assumed: [call.id: outcome],
                source: Syntax(call)))
    }

    /// Follows the failures through the target.
    ///
    /// - Complexity: bounded: 2,000 bodies, five from the failure.
    mutating func follow() {
        while let step = pending.popLast(), all.count < 2_000 {
            guard let body = step.owner.bodyStatements, isNew(step) else { continue }
            var run = FailureRun(target, names: step.names, assuming: step.assumed)
            run.follow(body)
            let passage = FailurePassage(
                run: run, owner: step.owner, origin: step.origin, source: step.source,
                distance: step.distance)
            all.append(passage)
            if step.distance < 5 { passOn(passage) }
        }
    }

    private mutating func isNew(_ step: Step) -> Bool {
        let names = step.names.map { "\($0)=\($1.mark)" }.sorted().joined(separator: ",")
        let calls = step.assumed.map { "\($0.key.hashValue)\($0.value.mark)" }.joined()
        let origin = (step.origin ?? step.source).id.hashValue
        return seen.insert("\(step.owner.id.hashValue) \(names) \(calls) \(origin)").inserted
    }

    /// Adds the bodies that a passage hands the failure or its result to.
    private mutating func passOn(_ passage: FailurePassage) {
        let run = passage.run
        for case .call(let call, let values) in run.events.map(\.action) {
            if call.calledName == "resume" {
                resume(call, values, passage)
            } else if let parameter = target.calledParameter(of: call),
                call.isInside(passage.owner)
            {
                deliver(parameter, call, values, passage)
            }
        }
        for action in run.events.map(\.action) {
            switch action {
            case .assignment(let assignment, let value) where value.isMadeUp:
                collect(assignment.target, value, passage)
            case .call(let call, let values)
            where ["append", "insert"].contains(call.calledName)
                && (values.contains(.zero) || values.contains(.partial)):
                if let list = call.base { collect(list, .partial, passage) }
            default: break
            }
        }
        guard let function = passage.owner.as(FunctionDeclSyntax.self) else { return }
        if run.throwsOut {
            answer(function, .throwing, nil, passage)
        } else if let zero = run.returned.first(where: { $0.value.deliversZero }) {
            answer(function, .returning(zero.value.asResult), zero.node, passage)
        } else if run.returned.contains(where: { $0.value == .missing }) {
            answer(function, .returning(.missing), nil, passage)
        } else if operation == .write, !run.isTold {
            let isDenied = run.returned.contains { $0.value == .no }
            answer(function, .returning(isDenied ? .no : .present), nil, passage)
        }
    }

    private mutating func deliver(
        _ parameter: FunctionParameterSyntax, _ call: FunctionCallExprSyntax,
        _ values: [FailureValue], _ passage: FailurePassage
    ) {
        for closure in target.closures(passedFor: parameter) {
            var names: [String: FailureValue] = [:]
            for (place, value) in values.enumerated() {
                if let name = closure.parameter(place) { names[name] = value.asResult }
            }
            add(
                Step(
                    owner: Syntax(closure), names: names,
                    origin: origin(values, Syntax(call), passage), source: passage.source,
                    distance: passage.distance + 1))
        }
    }

    /// Follows a variable outside the handler, which a semaphore or a group waits for.
    private mutating func collect(
        _ place: ExprSyntax, _ value: FailureValue, _ passage: FailurePassage
    ) {
        guard let name = place.as(DeclReferenceExprSyntax.self)?.baseName.text,
            case .variable(_, let declaration) = target.binding(name, at: place),
            declaration.memberOf == nil, !declaration.isInside(passage.owner),
            let function = place.enclosingFunction.as(FunctionDeclSyntax.self),
            declaration.isInside(function)
        else { return }
        let node = Syntax(place)
        if target.results(of: function).contains(where: { $0.mentions(name) }) {
            answer(function, .returning(value), node, passage)
        }
        for closure in function.all(ClosureExprSyntax.self)
        where closure.receivingCall?.calledName == "notify" && closure.mentions(name) {
            add(
                Step(
                    owner: Syntax(closure), names: [name: value],
                    origin: origin([value], node, passage), source: passage.source,
                    distance: passage.distance + 1))
        }
    }

    /// Follows the continuation that a handler resumes.
    private mutating func resume(
        _ call: FunctionCallExprSyntax, _ values: [FailureValue], _ passage: FailurePassage
    ) {
        guard let function = call.enclosingFunction.as(FunctionDeclSyntax.self) else { return }
        if call.argument("throwing") != nil {
            answer(function, .throwing, nil, passage)
        } else if let value = values.first?.asResult, value == .missing || value.isMadeUp {
            answer(function, .returning(value), Syntax(call), passage)
        } else if values.first == .failure {
            answer(function, .throwing, nil, passage)
        }
    }

    private mutating func answer(
        _ function: FunctionDeclSyntax, _ outcome: FailureRun.Outcome, _ node: Syntax?,
        _ passage: FailurePassage
    ) {
        var origin = passage.origin
        if case .returning(let value) = outcome, value.isMadeUp, let node {
            origin = self.origin([value], node, passage)
        }
        for known in target.calls(of: function) {
            add(
                Step(
                    owner: target.runBody(of: known.call), assumed: [known.call.id: outcome],
                    origin: origin, source: passage.source, distance: passage.distance + 1))
        }
    }

    private func origin(
        _ values: [FailureValue], _ node: Syntax, _ passage: FailurePassage
    ) -> Syntax? {
        if let origin = passage.origin { return origin }
        guard values.contains(where: \.deliversZero), !passage.run.isTold else { return nil }
        return values.contains(where: \.isMadeUp) ? passage.run.firstZero ?? node : node
    }

    private mutating func add(_ step: Step) {
        if pending.count < 2_000 { pending.append(step) }
    }
}

extension FailureValue {
    fileprivate var mark: String {
        if case .closure = self { return "closure" }
        return "\(self)"
    }
}

extension FailureRun.Outcome {
    fileprivate var mark: String {
        switch self {
        case .throwing: "throwing"
        case .returning(let value): value.mark
        }
    }
}

extension Syntax {
    /// The statements of a closure, function, initializer or accessor.
    var bodyStatements: CodeBlockItemListSyntax? {
        switch self.as(SyntaxEnum.self) {
        case .closureExpr(let node): node.statements
        case .functionDecl(let node): node.body?.statements
        case .initializerDecl(let node): node.body?.statements
        case .accessorDecl(let node): node.body?.statements
        default: nil
        }
    }
}

extension Target {
    /// Returns the body to follow for a call: the nearest one, without the closures that a run
    /// enters itself.
    func runBody(of call: FunctionCallExprSyntax) -> Syntax {
        let run = FailureRun(self)
        var body = call.enclosingBody
        while let closure = body.as(ClosureExprSyntax.self), let receiver = closure.receivingCall,
            run.enters(receiver)
        {
            body = closure.enclosingBody
        }
        return body.bodyStatements == nil ? call.enclosingBody : body
    }
}
