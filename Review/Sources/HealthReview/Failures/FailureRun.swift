import SwiftSyntax

/// The course of a body after a read or a write of HealthKit has failed.
///
/// The body is followed with what is known of its names: the error is there, the results are nil.
/// A condition that this doesn't settle lets both branches run. The failure is that of a locked
/// device, so that a test for another error code is false.
struct FailureRun {
    /// Something that the body does on the way.
    struct Event {
        let action: Action
        /// Whether no condition stands before it that the failure doesn't settle.
        let isCertain: Bool

        var node: Syntax { action.node }
    }

    enum Action {
        /// A call with the values of its arguments. Calls of the target's functions that receive
        /// something known are followed instead.
        case call(FunctionCallExprSyntax, [FailureValue])
        case assignment(Assignment, FailureValue)
        /// A value that doesn't exist is unwrapped by force.
        case trap(Syntax)

        var node: Syntax {
            switch self {
            case .call(let call, _): Syntax(call)
            case .assignment(let assignment, _): Syntax(assignment.node)
            case .trap(let node): node
            }
        }
    }

    /// How a call ends that the run makes an assumption about.
    enum Outcome: Sendable, Equatable {
        case throwing
        case returning(FailureValue)
    }

    let target: Target
    /// The calls whose outcome is assumed.
    let assumed: [SyntaxIdentifier: Outcome]
    private(set) var events: [Event] = []
    /// The `return` statements with their values, of the body itself.
    private(set) var returned: [(node: Syntax, value: FailureValue)] = []
    /// Whether the body leaves by an error.
    private(set) var throwsOut = false
    /// The first value that isn't there and for which a 0 or an empty list is put.
    var firstZero: Syntax?
    /// The `try?` whose nil nobody looks at, as a statement of its own.
    var swallowed: Syntax?
    /// Whether the error is passed on to somebody other than a log.
    var isTold = false

    /// What is known of the names, own members included.
    var names: [String: FailureValue]
    /// Whether a test of the error that isn't understood has decided the path.
    var isMuted = false
    /// Whether an error was thrown that nothing has caught yet.
    var isThrowing = false
    /// Whether the expression at hand has read the error.
    var hasReadError = false
    /// Whether the expression at hand belongs to a condition or a log.
    var isObserving = false
    /// Whether the process has ended on the path at hand.
    var isStopped = false
    /// Whether the call that fails was reached.
    var hasFailed: Bool
    /// The functions and closures that are being followed.
    var functions: [SyntaxIdentifier] = []
    var depth = 0
    /// The number of conditions around the statement that the failure doesn't settle.
    var doubt = 0
    var steps = 0

    static let maximumSteps = 6_000

    init(
        _ target: Target, names: [String: FailureValue] = [:],
        assuming assumed: [SyntaxIdentifier: Outcome] = [:]
    ) {
        (self.target, self.names, self.assumed) = (target, names, assumed)
        hasFailed = assumed.isEmpty
    }

    /// Follows a body from its start.
    mutating func follow(_ body: CodeBlockItemListSyntax) {
        guard body.count == 1, case .expr(let value) = body.first?.item, value.isResult else {
            throwsOut = run(body) == .threw
            return
        }
        // The only expression of a body is its result.
        let result = self.value(of: value)
        throwsOut = isThrowing
        if !isThrowing { leave(with: result, at: Syntax(value)) }
    }

    /// Follows statements without what comes before them.
    mutating func follow(_ items: [CodeBlockItemSyntax]) {
        for item in items where !isStopped {
            if run(Syntax(item.item)) != .passed { return }
        }
    }

    mutating func add(_ action: Action) {
        guard hasFailed, !isMuted, events.count < 500 else { return }
        events.append(Event(action: action, isCertain: doubt == 0))
    }

    mutating func leave(with value: FailureValue, at node: Syntax) {
        if hasFailed, !isMuted, functions.isEmpty { returned.append((node, value)) }
    }

    /// Ends the path where the process ends.
    mutating func stop(at node: some SyntaxProtocol) {
        add(.trap(Syntax(node)))
        isStopped = true
    }

    /// Returns whether another step is allowed.
    mutating func mayStep() -> Bool {
        steps += 1
        return steps < Self.maximumSteps && depth < 100
    }

    /// Keeps what both runs agree on, as after an `if`.
    mutating func merge(_ other: FailureRun) {
        names.merge(other.names) { $0.joined($1) }
        for name in names.keys where other.names[name] == nil { names[name] = .unknown }
    }
}

extension ExprSyntax {
    /// Whether the expression has a value that a body can return: no `if`, `switch` or assignment.
    fileprivate var isResult: Bool {
        if self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) { return false }
        return self.as(SequenceExprSyntax.self).flatMap { Assignment($0) } == nil
    }
}
