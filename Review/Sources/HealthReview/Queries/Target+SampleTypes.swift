import HealthEngine
import SwiftSyntax

/// The HealthKit types that an expression can have.
struct PossibleTypes: Sendable, Equatable {
    /// The catalogue's types, without duplicates.
    var known: [SampleType] = []
    /// Whether ``known`` has all possible types. It is false if some can't be resolved from the
    /// source.
    var isComplete = true

    /// Whether all possible types are known and there is at least one.
    var areKnown: Bool { isComplete && !known.isEmpty }

    /// Returns whether all possible types are known and pass a test.
    func areAll(_ test: (SampleType) -> Bool) -> Bool { areKnown && known.allSatisfy(test) }

    mutating func add(_ other: PossibleTypes) {
        for type in other.known where !known.contains(type) { known.append(type) }
        isComplete = isComplete && other.isComplete
    }

    mutating func add(_ type: SampleType?) {
        guard let type else { return isComplete = false }
        if !known.contains(type) { known.append(type) }
    }
}

extension Target {
    /// Returns the sample types an expression can have: `HKQuantityType(.stepCount)`, its older
    /// forms and `.workoutType()`. Names, branches, functions, tables and members of the target are
    /// followed.
    ///
    /// - Parameter calls: The calls that were entered, which resolve parameters. Other parameters
    ///   are resolved by all calls in the target.
    func sampleTypes(of expression: ExprSyntax, in calls: [KnownCall] = []) -> PossibleTypes {
        var types = PossibleTypes()
        for value in ValueSearch.values(of: expression, in: calls, self) {
            types.add(sampleTypes(of: value))
        }
        return types
    }

    /// Returns the types an identifier can have: `.stepCount`,
    /// `HKQuantityTypeIdentifier.stepCount`,
    /// `HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierStepCount")`.
    func identifiedTypes(of expression: ExprSyntax, in calls: [KnownCall] = []) -> PossibleTypes {
        var types = PossibleTypes()
        for value in ValueSearch.values(of: expression, in: calls, self) {
            types.add(identifiedTypes(of: value))
        }
        return types
    }

    func sampleTypes(of value: KnownValue) -> PossibleTypes {
        let origin = value.expression
        if let own = extensionMember(
            origin, of: ["HKQuantityType", "HKCategoryType", "HKSampleType", "HKObjectType"])
        {
            var types = PossibleTypes()
            for origin in origins(of: own) {
                types.add(
                    origin.is(FunctionCallExprSyntax.self)
                        ? sampleTypes(of: KnownValue(expression: origin))
                        : PossibleTypes(isComplete: false))
            }
            return types
        }
        guard let call = origin.as(FunctionCallExprSyntax.self), let name = call.calledName else {
            return PossibleTypes(isComplete: false)
        }
        switch name {
        case "HKQuantityType", "HKCategoryType", "HKCorrelationType", "HKClinicalType",
            "HKScoredAssessmentType", "init":
            guard let identifier = call.unlabelledArgument(0) else { break }
            return identifiedTypes(of: identifier, in: value.calls)
        case "quantityType", "categoryType", "correlationType", "clinicalType", "documentType":
            guard let identifier = call.argument("forIdentifier") else { break }
            return identifiedTypes(of: identifier, in: value.calls)
        case "workoutType", "audiogramSampleType", "electrocardiogramType",
            "visionPrescriptionType",
            "activitySummaryType", "stateOfMindType", "medicationDoseEventType":
            let plain = name.replacingSuffix("SampleType").replacingSuffix("Type")
            return PossibleTypes(type: Catalogue.type(named: plain))
        case "workoutRoute": return PossibleTypes(type: Catalogue.type(named: "workoutRoute"))
        case "heartbeat": return PossibleTypes(type: Catalogue.type(named: "heartbeatSeries"))
        default: break
        }
        return PossibleTypes(isComplete: false)
    }

    private func identifiedTypes(of value: KnownValue) -> PossibleTypes {
        if let member = value.expression.as(MemberAccessExprSyntax.self) {
            let base = member.base?.bare.as(DeclReferenceExprSyntax.self)?.baseName.text
            guard member.base == nil || base?.hasSuffix("TypeIdentifier") == true else {
                return PossibleTypes(isComplete: false)
            }
            return PossibleTypes(type: Catalogue.type(named: member.declName.baseName.text))
        }
        guard let call = value.expression.as(FunctionCallExprSyntax.self),
            call.constructedName?.hasSuffix("TypeIdentifier") == true || call.calledName == "init",
            let text = call.argument("rawValue")
        else { return PossibleTypes(isComplete: false) }
        var types = PossibleTypes()
        for text in ValueSearch.values(of: text, in: value.calls, self) {
            types.add(text.expression.plainString.flatMap { Catalogue.type(identifier: $0) })
        }
        return types
    }
}

extension PossibleTypes {
    fileprivate init(type: SampleType?) {
        known = [type].compactMap { $0 }
        isComplete = type != nil
    }
}

extension String {
    fileprivate func replacingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

extension Catalogue {
    /// Returns the quantity types that are compatible with a unit.
    static func quantityTypes(measuredIn unit: HealthUnit) -> [SampleType] {
        types.filter { type in
            guard type.kind == .quantity, let symbol = type.canonicalUnit,
                let own = try? HealthUnit(symbol)
            else { return false }
            return own.isCompatible(with: unit)
        }
    }
}

extension SampleType {
    /// Returns whether the type's samples can be expressed in a unit; nil if it isn't a quantity
    /// type.
    func isCompatible(with unit: HealthUnit) -> Bool? {
        guard kind == .quantity, let symbol = canonicalUnit, let own = try? HealthUnit(symbol)
        else {
            return nil
        }
        return own.isCompatible(with: unit)
    }

    var isCumulative: Bool { aggregation == .cumulative }
    /// Whether it is a quantity type that isn't cumulative.
    var isDiscrete: Bool { aggregation != nil && aggregation != .cumulative }
}
