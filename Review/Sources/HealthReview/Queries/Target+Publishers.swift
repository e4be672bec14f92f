import SwiftSyntax

extension Target {
    /// The closures that receive the values of a publisher on HealthKit's queue: `sink` on a call of
    /// the target's function that publishes from a query's handler, with no `receive(on:)` between.
    var publisherClosures: [ClosureExprSyntax] {
        files.flatMap { file in
            (file.uses.callsByName["sink"] ?? []).flatMap { call -> [ClosureExprSyntax] in
                guard let source = source(of: call), publishesFromHandler(source) else {
                    return []
                }
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

    private func publishesFromHandler(_ function: FunctionDeclSyntax) -> Bool {
        guard let body = function.body, let file = file(of: function), file.mentionsStore,
            !["receive", "main", "MainActor"].contains(where: body.contains)
        else { return false }
        let makes = ["Future", "PassthroughSubject", "CurrentValueSubject"]
        guard makes.contains(where: body.contains) else { return false }
        return file.queries.contains { $0.form == .callback && $0.call.isInside(body) }
            || file.uses.calls.contains { $0.isInside(body) && storeCompletion(of: $0) != nil }
    }
}
