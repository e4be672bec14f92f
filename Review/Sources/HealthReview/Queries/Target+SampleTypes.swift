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
    /// forms and `.workoutType()`. Names, branches and functions of the target are followed.
    func sampleTypes(of expression: ExprSyntax) -> PossibleTypes {
        var types = PossibleTypes()
        for origin in origins(of: expression) { types.add(sampleTypes(ofOrigin: origin)) }
        return types
    }

    /// Returns the types an identifier can have: `.stepCount`,
    /// `HKQuantityTypeIdentifier.stepCount`,
    /// `HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierStepCount")`.
    func identifiedTypes(of expression: ExprSyntax) -> PossibleTypes {
        var types = PossibleTypes()
        for origin in origins(of: expression) { types.add(identifiedType(ofOrigin: origin)) }
        return types
    }

    private func sampleTypes(ofOrigin origin: ExprSyntax) -> PossibleTypes {
        if let own = extensionMember(
            origin, of: ["HKQuantityType", "HKCategoryType", "HKSampleType", "HKObjectType"])
        {
            var types = PossibleTypes()
            for origin in origins(of: own) {
                types.add(
                    origin.is(FunctionCallExprSyntax.self)
                        ? sampleTypes(ofOrigin: origin) : PossibleTypes(isComplete: false))
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
            return identifiedTypes(of: identifier)
        case "quantityType", "categoryType", "correlationType", "clinicalType", "documentType":
            guard let identifier = call.argument("forIdentifier") else { break }
            return identifiedTypes(of: identifier)
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

    private func identifiedType(ofOrigin origin: ExprSyntax) -> SampleType? {
        if let member = origin.as(MemberAccessExprSyntax.self) {
            let base = member.base?.bare.as(DeclReferenceExprSyntax.self)?.baseName.text
            guard base == nil || base?.hasSuffix("TypeIdentifier") == true else { return nil }
            return Catalogue.type(named: member.declName.baseName.text)
        }
        guard let call = origin.as(FunctionCallExprSyntax.self),
            call.constructedName?.hasSuffix("TypeIdentifier") == true,
            let text = call.argument("rawValue")?.plainString
        else { return nil }
        return Catalogue.type(identifier: text)
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
