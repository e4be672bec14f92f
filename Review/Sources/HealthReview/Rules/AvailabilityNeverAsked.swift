import SwiftSyntax

/// Reports a store in code that never checks whether health data is available.
struct AvailabilityNeverAsked: Rule {
    let name = "availability-never-asked"
    let summary = "a health store used where isHealthDataAvailable is never asked"
    let severity = Severity.note
    let scope = RuleScope.review

    func review(_ target: Target, _ report: inout Report) {
        guard !target.mentioned.contains("isHealthDataAvailable"), target.kind == .app,
            !target.requiresHealth
        else { return }
        for file in target.files
        where file.uses.names.contains("HKHealthStore") && !file.isForWatch {
            guard let store = file.uses.calls.first(where: { $0.makesStore }) else { continue }
            report.add(
                "where health data is not available, each call on this store fails: check "
                    + "`HKHealthStore.isHealthDataAvailable()` first", at: store, in: file)
            return
        }
    }
}

extension Target {
    /// Whether the app can't be installed where health data are not available.
    fileprivate var requiresHealth: Bool {
        projectFiles.contains { file in
            guard let start = file.text.firstRange(of: "UIRequiredDeviceCapabilities") else {
                return false
            }
            let rest = file.text[start.upperBound...].prefix(400)
            let end = rest.firstRange(of: "</array>")?.lowerBound ?? rest.endIndex
            return rest[..<end].contains("healthkit")
        }
    }
}

extension SourceFile {
    /// Whether the code runs on a watch only, where health data are always available.
    fileprivate var isForWatch: Bool {
        if uses.imports.contains("WatchKit") { return true }
        return path.split(separator: "/").contains { part in
            let words = String(part).camelCaseWords
            return words.contains("watch") || words.contains("watchkit")
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
