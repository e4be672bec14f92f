import SwiftSyntax

/// Reports background delivery that is enabled before its observer query runs.
struct DeliveryBeforeObserver: Rule {
    let name = "delivery-before-observer"
    let summary = "background delivery enabled before its observer query is executed"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("enableBackgroundDelivery") {
            let starts = file.uses.calls.filter { startsObserver($0, target) }
            for call in file.uses.calls where call.isBackgroundDelivery {
                let body = call.runningBody
                let here = starts.filter { $0.isInside(body) && !call.isAlternative(to: $0) }
                guard !here.isEmpty, !here.contains(where: { $0.position < call.position }) else {
                    continue
                }
                report.add(
                    "the first changes don't wake the app: execute the observer query before this",
                    at: call, in: file)
            }
        }
    }

    /// Returns whether the call is `store.execute(observer)`, or a function of the target that does
    /// this.
    private func startsObserver(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        if call.calledName == "execute" { return executesObserver(call, target) }
        guard let function = target.function(named: call.calledExpression), let body = function.body
        else { return false }
        guard !body.contains("enableBackgroundDelivery") else { return false }
        return body.all(FunctionCallExprSyntax.self).contains {
            $0.calledName == "execute" && executesObserver($0, target)
        }
    }

    private func executesObserver(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        guard let query = call.unlabelledArgument(0) else { return false }
        return target.origins(of: query).contains { origin in
            origin.as(FunctionCallExprSyntax.self).flatMap { HealthQuery($0) }?.kind == .observer
        }
    }
}
