import SwiftSyntax

extension Target {
    /// The closures that receive the values of a publisher on HealthKit's queue: `sink` on a call of
    /// the target's function that publishes from a query's handler, with no `receive(on:)` between.
    var publisherClosures: [ClosureExprSyntax] {
        files.flatMap { file in
            (file.uses.callsByName["sink"] ?? []).flatMap { call -> [ClosureExprSyntax] in
                guard let source = source(of: call) ?? switchedSource(of: call),
                    publishesFromHandler(source, depth: 0)
                else { return [] }
                return call.closures
            }
        }
    }

    /// Returns the function at the root of a chain of operators; nil if the chain changes the
    /// queue or combines publishers.
    private func source(of sink: FunctionCallExprSyntax) -> FunctionDeclSyntax? {
        var call = sink
        for _ in 0..<24 {
            guard let next = call.base?.bare.as(FunctionCallExprSyntax.self) else {
                return call.id == sink.id ? nil : function(calledBy: call)
            }
            let operators = [
                "sink", "map", "compactMap", "filter", "replaceError", "replaceNil", "catch",
                "removeDuplicates", "handleEvents", "eraseToAnyPublisher", "mapError", "tryMap",
            ]
            guard let name = call.calledName, operators.contains(name) else {
                return function(calledBy: call)
            }
            call = next
        }
        return nil
    }

    /// Returns the function whose publisher a chain switches to: `service.summary` in
    /// `$day.map { service.summary(for: $0) }.switchToLatest().sink { … }`.
    private func switchedSource(of sink: FunctionCallExprSyntax) -> FunctionDeclSyntax? {
        var call = sink
        var isSwitched = false
        for _ in 0..<24 {
            guard let next = call.base?.bare.as(FunctionCallExprSyntax.self),
                let name = next.calledName, name != "receive"
            else { return nil }
            if name == "flatMap" || name == "map" && isSwitched {
                guard let closure = next.closures.first else { return nil }
                let results = results(of: closure.statements)
                guard results.count == 1,
                    let made = publisherCall(in: results[0])
                else { return nil }
                return function(calledBy: made)
            }
            if name == "switchToLatest" { isSwitched = true }
            let operators = [
                "switchToLatest", "compactMap", "filter", "map", "replaceError", "replaceNil",
                "removeDuplicates", "handleEvents", "eraseToAnyPublisher", "catch", "mapError",
            ]
            guard operators.contains(name) else { return nil }
            call = next
        }
        return nil
    }

    /// Returns the call at the root of a chain of operators that stay on the queue.
    private func publisherCall(in expression: ExprSyntax) -> FunctionCallExprSyntax? {
        guard var call = expression.bare.as(FunctionCallExprSyntax.self) else { return nil }
        for _ in 0..<12 {
            if call.calledName == "receive" { return nil }
            guard function(calledBy: call) == nil else { return call }
            guard let next = call.base?.bare.as(FunctionCallExprSyntax.self) else { return nil }
            call = next
        }
        return nil
    }

    private func publishesFromHandler(_ function: FunctionDeclSyntax, depth: Int) -> Bool {
        guard let body = function.body, let file = file(of: function),
            !["receive", "main", "MainActor"].contains(where: body.contains)
        else { return false }
        if depth < 3, function.signature.returnClause?.contains("AnyPublisher") == true {
            let inner = body.all(FunctionCallExprSyntax.self).prefix(40).compactMap {
                self.function(calledBy: $0)
            }.filter { $0.id != function.id && $0.signature.returnClause != nil }
            if inner.contains(where: { publishesFromHandler($0, depth: depth + 1) }) { return true }
        }
        guard file.mentionsStore else { return false }
        let makes = ["Future", "PassthroughSubject", "CurrentValueSubject"]
        guard makes.contains(where: body.contains) else { return false }
        return file.queries.contains { $0.form == .callback && $0.call.isInside(body) }
            || file.uses.calls.contains { $0.isInside(body) && storeCompletion(of: $0) != nil }
    }
}
