import SwiftSyntax

extension FailurePassages {
    /// The bodies that a failed save, deletion or end of a workout reaches.
    static func ofWrites(_ target: Target) -> FailurePassages {
        var passages = FailurePassages(target, operation: .write)
        for file in target.files where file.mentionsStore && !file.isTest {
            for call in target.writes(in: file) {
                if let handler = target.writeHandler(of: call) {
                    passages.start(handler, handler.namesAfterFailedWrite, of: call)
                } else if call.isAwaited || call.enclosing(TryExprSyntax.self) != nil {
                    passages.start(call)
                }
            }
        }
        passages.follow()
        return passages
    }
}

extension FailurePassages {
    /// The bodies that a failed request for permission reaches.
    static func ofRequests(_ target: Target) -> FailurePassages {
        var passages = FailurePassages(target, operation: .write)
        for file in target.files where file.mentionsStore && !file.isTest {
            for call in file.uses.callsByName["requestAuthorization"] ?? []
            where call.isAuthorizationRequest {
                if let handler = target.writeHandler(of: call) {
                    passages.start(handler, handler.namesAfterFailedWrite, of: call)
                } else if call.isAwaited {
                    passages.start(call)
                }
            }
        }
        passages.follow()
        return passages
    }
}

extension Target {
    /// Returns the calls in a file that save to HealthKit, delete from it or end a workout.
    func writes(in file: SourceFile) -> [FunctionCallExprSyntax] {
        let ofStore = ["save", "delete", "deleteObjects"]
            .flatMap { file.uses.callsByName[$0] ?? [] }
            .filter { call in
                guard !call.arguments.isEmpty, let base = call.base else { return false }
                return isHealthStore(base)
            }
        let ofBuilders = (file.uses.callsByName["finishWorkout"] ?? [])
            .filter { call in
                guard let base = call.base else { return false }
                return typeName(of: base.bare).map { $0.hasSuffix("Builder") }
                    ?? (base.bare.lastName?.lowercased().contains("builder") == true)
            }
        return ofStore + ofBuilders
    }

    fileprivate func writeHandler(of call: FunctionCallExprSyntax) -> ClosureExprSyntax? {
        guard let value = call.arguments.last?.expression.bare, call.closures.isEmpty else {
            return call.closures.last
        }
        return origins(of: value).first?.as(ClosureExprSyntax.self)
    }
}

extension FailurePassages {
    fileprivate mutating func start(
        _ handler: ClosureExprSyntax, _ names: [String: FailureValue],
        of call: FunctionCallExprSyntax
    ) {
        start(Syntax(handler), names, of: call)
    }
}

extension ClosureExprSyntax {
    /// What the parameters are after a failure: no success or no workout, and an error.
    fileprivate var namesAfterFailedWrite: [String: FailureValue] {
        let call = receivingCall?.calledName ?? ""
        var names: [String: FailureValue] = [:]
        let isOfObject = call == "finishWorkout"
        if let first = parameter(0) { names[first] = isOfObject ? .missing : .no }
        if call == "deleteObjects" {
            if let last = parameter(2) { names[last] = .failure }
        } else if let last = parameter(1) {
            names[last] = .failure
        }
        return names
    }
}
