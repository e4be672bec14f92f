import HealthEngine
import SwiftSyntax

/// Reports a sample query without a limit whose predicate excludes nothing.
struct UnboundedQuery: Rule {
    let name = "unbounded-query"
    let summary = "a query for all samples there are, without a limit or a bounding predicate"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for query in file.queries where isUnlimited(query, target, file) {
                review(query, target, file, &report)
            }
        }
    }

    private func review(
        _ query: HealthQuery, _ target: Target, _ file: SourceFile, _ report: inout Report
    ) {
        let open = target.parts(of: query).filter { part in
            target.selectivity(ofPredicate: part.predicate) == .everything
        }
        if open.isEmpty { return }
        var types = PossibleTypes()
        for part in open { types.add(part.types) }
        if query.kind == .correlation, !isOpen(query.call.argument("samplePredicates"), target) {
            return
        }
        let isSparse = types.areAll { Self.sparse.contains($0.name) || $0.kind == .correlation }
        let what =
            types.areKnown
            ? types.known.map(\.name).joined(separator: ", ") : "a type given from elsewhere"
        report.add(
            "asks for every sample of \(what) there is, "
                + (isSparse
                    ? "which grows with the years; bound it by a date or a limit"
                    : "which can be millions held in memory at once; bound it by a date or a limit"),
            at: query.call, in: file, severity: isSparse ? .note : nil)
    }

    private func isOpen(_ dictionary: ExprSyntax?, _ target: Target) -> Bool {
        guard let dictionary else { return true }
        return target.origins(of: dictionary).allSatisfy { origin in
            if let literal = origin.as(DictionaryExprSyntax.self) {
                if case .colon = literal.content { return true }
            }
            return origin.is(NilLiteralExprSyntax.self)
        }
    }

    private func isUnlimited(_ query: HealthQuery, _ target: Target, _ file: SourceFile) -> Bool {
        switch (query.kind, query.form) {
        case (.sample, .callback):
            guard let limit = query.call.argument("limit") else { return false }
            return isNoLimit(limit, target)
        case (.sample, .descriptor):
            if setsLimit(query, file) { return false }
            guard let limit = query.call.argument("limit") else { return true }
            return isNoLimit(limit, target)
        case (.correlation, _): return true
        default: return false
        }
    }

    /// Returns whether the limit is `HKObjectQueryNoLimit`, 0 or nil, possibly converted.
    private func isNoLimit(_ limit: ExprSyntax, _ target: Target) -> Bool {
        let origins = target.origins(of: limit)
        return !origins.isEmpty
            && origins.allSatisfy { origin in
                if let call = origin.as(FunctionCallExprSyntax.self), call.constructedName == "Int",
                    let inner = call.unlabelledArgument(0)
                {
                    return Self.isNoLimit(inner.bare)
                }
                return Self.isNoLimit(origin)
            }
    }

    private static func isNoLimit(_ origin: ExprSyntax) -> Bool {
        if origin.is(NilLiteralExprSyntax.self) { return true }
        if let literal = origin.as(IntegerLiteralExprSyntax.self) {
            return literal.literal.text == "0"
        }
        let name =
            origin.as(DeclReferenceExprSyntax.self)?.baseName.text
            ?? origin.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        return name == "HKObjectQueryNoLimit"
    }

    /// Returns whether `descriptor.limit = 50` follows the construction.
    private func setsLimit(_ query: HealthQuery, _ file: SourceFile) -> Bool {
        guard let variable = query.variable else { return false }
        let function = query.call.enclosingFunction
        return file.uses.assignments.contains { assignment in
            guard let member = assignment.target.as(MemberAccessExprSyntax.self) else {
                return false
            }
            return member.declName.baseName.text == "limit" && member.base?.bare.ownName == variable
                && assignment.node.isInside(function)
        }
    }

    /// Types that are usually recorded once a day or less.
    private static let sparse: Set<String> = [
        "workout", "bodyMass", "height", "bodyMassIndex", "bodyFatPercentage", "leanBodyMass",
        "waistCircumference", "restingHeartRate", "walkingHeartRateAverage", "vo2Max",
        "sixMinuteWalkTestDistance", "appleSleepingWristTemperature", "basalBodyTemperature",
        "bodyTemperature", "bloodAlcoholContent", "forcedExpiratoryVolume1",
        "forcedVitalCapacity", "peakExpiratoryFlowRate", "electrodermalActivity",
        "atrialFibrillationBurden", "numberOfTimesFallen", "appleWalkingSteadiness",
        "bloodPressureSystolic", "bloodPressureDiastolic", "menstrualFlow",
        "intermenstrualBleeding", "ovulationTestResult", "pregnancyTestResult",
        "progesteroneTestResult", "cervicalMucusQuality", "sexualActivity", "contraceptive",
        "pregnancy", "lactation", "electrocardiogram", "audiogram", "stateOfMind",
        "visionPrescription", "workoutRoute",
    ]
}
