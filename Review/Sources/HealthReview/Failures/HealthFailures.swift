import SwiftSyntax

extension FailurePassages {
    /// The bodies that the result of a read without data reaches.
    static func ofEmptyReads(_ target: Target) -> FailurePassages {
        var passages = FailurePassages(target)
        for file in target.files where file.mentionsStore {
            for query in file.queries {
                for handler in target.handlers(of: query) {
                    guard let names = handler.namesWithoutData(of: query) else { continue }
                    passages.start(handler.node, names, of: query.call)
                }
            }
            for call in file.uses.callsByName["result"] ?? [] where target.isRead(call) {
                if target.descriptorQuery(of: ExprSyntax(call))?.kind == .sample {
                    passages.start(call, .returning(.empty))
                }
            }
        }
        passages.follow()
        return passages
    }

    /// The bodies that a failed read reaches.
    static func ofReads(_ target: Target) -> FailurePassages {
        var passages = FailurePassages(target)
        for file in target.files where file.mentionsStore {
            for query in file.queries {
                for handler in target.handlers(of: query) {
                    guard let names = handler.namesAfterFailure(of: query) else { continue }
                    passages.start(handler.node, names, of: query.call)
                }
            }
            for call in file.uses.callsByName["result"] ?? [] where target.isRead(call) {
                passages.start(call)
            }
        }
        passages.follow()
        return passages
    }
}

extension QueryHandler {
    /// What the parameters of a handler are when its query failed; nil for handlers that report
    /// changes.
    func namesAfterFailure(of query: HealthQuery) -> [String: FailureValue]? {
        let place: Int
        switch (query.kind, property) {
        case (.sample, nil), (.statistics, nil), (.correlation, nil), (.source, nil),
            (.activitySummary, nil), (.statisticsCollection, nil),
            (.statisticsCollection, "initialResultsHandler"):
            place = 2
        case (.anchored, nil): place = 4
        case (.workoutRoute, nil): place = 3
        default: return nil
        }
        var names: [String: FailureValue] = [:]
        for other in 1...place {
            if let name = parameter(other) { names[name] = other == place ? .failure : .missing }
        }
        return names
    }
}

extension QueryHandler {
    /// What the parameters of a handler are when there is no data; nil for other queries than those
    /// for samples.
    fileprivate func namesWithoutData(of query: HealthQuery) -> [String: FailureValue]? {
        guard [.sample, .correlation].contains(query.kind), property == nil else { return nil }
        var names: [String: FailureValue] = [:]
        if let name = parameter(1) { names[name] = .empty }
        if let name = parameter(2) { names[name] = .missing }
        return names
    }
}

extension Target {
    /// Returns whether a call is `descriptor.result(for: store)`.
    func isRead(_ call: FunctionCallExprSyntax) -> Bool {
        guard call.calledName == "result", call.argument("for") != nil, call.isAwaited,
            let base = call.base
        else { return false }
        return origins(of: base).contains { origin in
            origin.as(FunctionCallExprSyntax.self).flatMap { HealthQuery($0) }?.form == .descriptor
        }
    }
}
