import SwiftSyntax

/// Reports a store in code that never checks whether health data is available.
struct AvailabilityNeverAsked: Rule {
    let name = "availability-never-asked"
    let summary = "a health store used where isHealthDataAvailable is never asked"
    let severity = Severity.warning
    let scope = RuleScope.review

    func review(_ target: Target, _ report: inout Report) {
        guard !target.mentioned.contains("isHealthDataAvailable") else { return }
        for file in target.files where file.uses.names.contains("HKHealthStore") {
            guard let store = file.uses.calls.first(where: { $0.makesStore }) else { continue }
            report.add(
                "where health data is not available, each call on this store fails: check "
                    + "`HKHealthStore.isHealthDataAvailable()` first", at: store, in: file)
            return
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether the call is `HKHealthStore()`, or `.init()` for a variable declared with that type.
    fileprivate var makesStore: Bool {
        if constructedName == "HKHealthStore" { return arguments.isEmpty }
        guard calledName == "init", base == nil, arguments.isEmpty,
            let initializer = parent?.as(InitializerClauseSyntax.self)
        else { return false }
        return initializer.parent?.as(PatternBindingSyntax.self)?.declaredTypeName
            == "HKHealthStore"
    }
}
