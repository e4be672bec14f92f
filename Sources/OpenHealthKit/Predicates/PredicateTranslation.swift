import Foundation
import HealthEngine

/// Converts a predicate to a ``SampleFilter`` for one type and one app.
///
/// Where HealthKit raises an exception, this throws `errorInvalidArgument`: for unknown keys, keys
/// that the type does not have, constants of the wrong kind and incompatible units
/// (Semantics §2.9).
struct PredicateTranslation {
    /// The queried type; nil for samples of any type.
    var type: HKObjectType?
    /// The bundle identifier that `HKSource.default()` stands for; nil for that of
    /// ``AppIdentity/current``.
    var thisApp: String?
    var scope = PredicateKey.Scope.sample

    func filter(_ node: PredicateNode) throws(HKError) -> SampleFilter {
        switch node {
        case .always: return .everything
        case .never: return .nothing
        case .and(let nodes): return .and(try filters(nodes))
        case .or(let nodes): return .or(try filters(nodes))
        case .not(let node): return .not(try filter(node))
        case .comparison(let comparison): return try filter(comparison)
        case .statistic(let statistic): return try filter(statistic)
        case .activity(let node):
            try require(.workout, for: "workoutActivity")
            var activityTranslation = self
            activityTranslation.scope = .activity
            return .workoutActivity(try activityTranslation.filter(node))
        case .invalid(let reason, _): throw HKError(.errorInvalidArgument, reason)
        }
    }

    private func filters(_ nodes: [PredicateNode]) throws(HKError) -> [SampleFilter] {
        var filters: [SampleFilter] = []
        for node in nodes { filters.append(try filter(node)) }
        return filters
    }

    private func filter(_ test: PredicateComparison) throws(HKError) -> SampleFilter {
        guard let key = PredicateKey(test.keyPath, in: scope) else {
            throw unknownKey(test.keyPath)
        }
        try check(key, path: test.keyPath)
        let comparison = ComparisonTranslation(test: test, translation: self)
        switch key {
        case .date(let attribute): return try comparison.valueFilter(attribute, of: .date)
        case .number(let attribute): return try comparison.valueFilter(attribute, of: .number)
        case .text(let attribute): return try comparison.valueFilter(attribute, of: .text)
        case .uuid: return try comparison.valueFilter(.uuid, of: .uuid)
        case .metadata(let key):
            let unit = Catalogue.metadataKey(key).flatMap(\.unit)
            return try comparison.valueFilter(.metadata(key), of: .any(unit: unit))
        case .quantity(let measure):
            let unit = type?.row?.canonicalUnit
            return try comparison.valueFilter(.quantity(measure), of: .quantity(unit: unit))
        case .workoutTotal(let total, let unit):
            return try comparison.valueFilter(.workoutTotal(total), of: .quantity(unit: unit))
        case .averageHeartRate:
            return try comparison.valueFilter(
                .electrocardiogramHeartRate, of: .quantity(unit: "count/min"))
        case .source, .revision, .device, .workout, .correlation, .day:
            return try comparison.objectFilter(key)
        }
    }

    private func filter(_ test: StatisticComparison) throws(HKError) -> SampleFilter {
        let path = "\(test.measure.rawValue) of \(test.type.identifier)"
        guard test.scope == scope else { throw wrongScope(path, from: test.scope) }
        if scope == .sample { try require(.workout, for: path) }
        guard let order = test.comparison.order else {
            throw error(path, "does not support the operator \(test.comparison.symbol)")
        }
        let value = try PredicateTranslation.value(
            test.quantity, in: test.type.row?.canonicalUnit, for: path)
        return .test(
            .workoutStatistic(type: test.type.identifier, test.measure), .compare(order, value))
    }
}

extension PredicateTranslation {
    /// Converts a quantity to the unit that its attribute is compared in; unchanged if that unit is
    /// nil or unknown.
    ///
    /// - Throws: `errorInvalidArgument` if the units are incompatible.
    static func value(
        _ quantity: HKQuantity, in unit: String?, for path: String
    ) throws(HKError) -> SampleFilter.Value {
        guard let unit, let target = try? HKUnit(parsing: unit) else {
            return .quantity(quantity.value, unit: quantity.unit.unitString)
        }
        guard let value = try? quantity.converted(to: target) else {
            throw HKError(
                .errorInvalidArgument,
                "Predicate: \(path) is measured in units like \(unit), which \(quantity.unit)"
                    + " does not convert to.")
        }
        return .quantity(value, unit: unit)
    }

    func error(_ path: String, _ reason: String) -> HKError {
        HKError(.errorInvalidArgument, "Predicate: \(path) \(reason).")
    }

    private func unknownKey(_ path: String) -> HKError {
        if scope == .sample, PredicateKey.isOfActivities(path) {
            return wrongScope(path, from: .activity)
        }
        if scope == .activity, PredicateKey(path, in: .sample) != nil {
            return wrongScope(path, from: .sample)
        }
        return error(path, "is not a key path of a health store")
    }

    private func wrongScope(_ path: String, from scope: PredicateKey.Scope) -> HKError {
        switch scope {
        case .activity:
            error(path, "is allowed only inside predicateForWorkouts(activityPredicate:)")
        case .sample: error(path, "is not an attribute of a workout's activities")
        }
    }

    private func check(_ key: PredicateKey, path: String) throws(HKError) {
        if let kind = key.requiredKind, scope == .sample { try require(kind, for: path) }
        let owner: String? =
            switch key {
            case .number(let attribute) where Self.ofStatesOfMind.contains(attribute):
                HKDataTypeIdentifierStateOfMind
            case .number(.electrocardiogramClassification),
                .number(.electrocardiogramSymptomsStatus), .averageHeartRate:
                HKObjectType.electrocardiogramType().identifier
            case .number(.doseStatus), .date(.doseScheduled), .text(.doseMedication):
                HKObjectType.medicationDoseEventType().identifier
            case .number(.medicationIsArchived), .number(.medicationHasSchedule):
                HKObjectType.userAnnotatedMedicationType().identifier
            default: nil
            }
        if let owner, let type, type.identifier != owner {
            throw error(path, "is not an attribute of \(type.identifier)")
        }
        if let type, !key.isPossible(in: type) {
            throw error(path, "is not an attribute of \(type.identifier)")
        }
    }

    private static let ofStatesOfMind: Set<SampleFilter.Attribute> = [
        .valence, .stateOfMindKind, .stateOfMindLabel, .stateOfMindAssociation,
    ]

    /// Checks that the queried type is of a kind. Queries for any type, and types that are not in
    /// the catalogue, pass the check.
    ///
    /// - Throws: `errorInvalidArgument` for a type of another kind.
    private func require(_ kind: SampleType.Kind, for path: String) throws(HKError) {
        guard let row = type?.row, row.kind != kind else { return }
        throw error(path, "is not an attribute of \(row.identifier)")
    }
}

extension MetadataKey {
    /// The unit that quantities of this key are converted to; nil if the key has no quantities, or
    /// quantities of any unit.
    fileprivate var unit: String? {
        if case .quantity(let unit) = valueKind { unit } else { nil }
    }
}
