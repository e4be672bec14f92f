import SwiftSyntax

/// A store where nothing asks whether the device has health data.
struct AvailabilityNeverAsked: Rule {
    let name = "availability-never-asked"
    let summary = "a health store used where isHealthDataAvailable is never asked"
    let severity = Severity.warning
    let reach = RuleReach.review

    func review(_ target: Target, _ report: inout Report) {
        guard !target.mentioned.contains("isHealthDataAvailable") else { return }
        for file in target.files where file.uses.names.contains("HKHealthStore") {
            guard let store = file.uses.calls.first(where: { $0.makesStore }) else { continue }
            report.add(
                "where there is no health data this store answers each call with an error: ask "
                    + "`HKHealthStore.isHealthDataAvailable()` first", at: store, in: file)
            return
        }
    }
}

extension FunctionCallExprSyntax {
    /// `HKHealthStore()`, or `.init()` where a variable of that type is declared.
    fileprivate var makesStore: Bool {
        if constructedName == "HKHealthStore" { return arguments.isEmpty }
        guard calledName == "init", base == nil, arguments.isEmpty,
            let initializer = parent?.as(InitializerClauseSyntax.self)
        else { return false }
        return initializer.parent?.as(PatternBindingSyntax.self)?.declaredTypeName
            == "HKHealthStore"
    }
}
