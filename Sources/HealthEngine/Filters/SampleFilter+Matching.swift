extension SampleFilter {
    /// Returns whether a sample matches the filter (Semantics §2.1, §2.9).
    ///
    /// - Parameter facts: The properties of the sample.
    /// - Returns: Whether the filter selects the sample.
    /// - Complexity: O(n) in the number of tests. Evaluation of `and` and `or` stops at the first
    ///   test that decides.
    package func matches(_ facts: some SampleFacts) -> Bool {
        switch self {
        case .everything: true
        case .nothing: false
        case .and(let filters): filters.allSatisfy { $0.matches(facts) }
        case .or(let filters): filters.contains { $0.matches(facts) }
        case .not(let filter): !filter.matches(facts)
        case .test(let attribute, let relation): attribute.satisfies(relation, for: facts)
        case .memberOf(let container): facts.isMember(of: container)
        case .hasNoCorrelation: !facts.hasCorrelation
        case .workoutActivity(let filter): Self.anyActivity(of: facts, matches: filter)
        }
    }

    private static func anyActivity(
        of facts: some SampleFacts, matches filter: SampleFilter
    ) -> Bool {
        guard let workout = facts.workout else { return false }
        // A workout without activities is treated as one activity from its start to its end.
        if workout.activities.isEmpty { return filter.matches(facts) }
        return workout.activities.contains {
            filter.matches(
                ActivityFacts(
                    activity: $0, parent: workout, typeIdentifier: facts.typeIdentifier))
        }
    }
}

extension SampleFilter.Attribute {
    /// Returns whether a sample's value for the attribute satisfies a relation.
    func satisfies(_ relation: SampleFilter.Relation, for facts: some SampleFacts) -> Bool {
        switch self {
        case .stateOfMindLabel:
            relation.holds(forAnyOf: facts.stateOfMind?.labels)
        case .stateOfMindAssociation:
            relation.holds(forAnyOf: facts.stateOfMind?.associations)
        case .quantity(let measure):
            quantity(measure, satisfies: relation, for: facts)
        default:
            relation.holds(for: value(of: facts))
        }
    }

    /// Returns whether a measure of a quantity satisfies a relation. For a comparison with a
    /// quantity, the sample's own conversion is used, which can be cached.
    private func quantity(
        _ measure: SampleFilter.Measure, satisfies relation: SampleFilter.Relation,
        for facts: some SampleFacts
    ) -> Bool {
        if case .compare(let comparison, .quantity(let constant, let unit)) = relation,
            let value = facts.quantity(measure, in: unit)
        {
            return comparison.holds(SampleFilter.Value.order(value, constant))
        }
        guard let quantity = facts.quantity, let value = facts.measured(measure) else {
            return relation.holds(for: .null)
        }
        return relation.holds(for: .quantity(value, unit: quantity.unit))
    }

    private func value(of facts: some SampleFacts) -> SampleFilter.Value {
        switch self {
        case .start: .init(date: facts.start)
        case .end: .init(date: facts.end)
        case .uuid: .uuid(facts.uuid)
        case .type: .string(facts.typeIdentifier)
        case .quantityCount: facts.quantity == nil ? .null : .init(facts.seriesValues?.count ?? 1)
        case .categoryValue: .init(facts.categoryValue)
        case .source: .init(facts.bundleIdentifier)
        case .sourceName: .init(facts.sourceName)
        case .sourceVersion: .init(facts.sourceVersion)
        case .productType: .init(facts.productType)
        case .operatingSystem: facts.operatingSystem.map { .version($0) } ?? .null
        case .device(let property): .init(facts.device?[property])
        case .metadata(let key): facts.metadata(key).map { .init($0) } ?? .null
        case .day: .init(facts.day)
        case .valence: .init(facts.stateOfMind?.valence)
        case .stateOfMindKind: .init(facts.stateOfMind?.kind)
        case .electrocardiogramClassification: .init(facts.electrocardiogram?.classification)
        case .electrocardiogramSymptomsStatus: .init(facts.electrocardiogram?.symptomsStatus)
        case .electrocardiogramHeartRate:
            facts.electrocardiogram?.averageHeartRate.map { .quantity($0, unit: "count/min") }
                ?? .null
        case .clinical(let attribute):
            facts.clinicalDetail?.clinicalValue(attribute, start: facts.start) ?? .null
        case .doseStatus: .init(facts.medicationDose?.status)
        case .doseMedication: .init(facts.medicationDose?.medication)
        case .doseScheduled: .init(date: facts.medicationDose?.scheduled ?? .nan)
        case .medicationIsArchived: .init(facts.medication.map { $0.isArchived == true ? 1 : 0 })
        case .medicationHasSchedule: .init(facts.medication.map { $0.hasSchedule ? 1 : 0 })
        case .workoutActivityType: .init(facts.workout?.activityType)
        case .workoutDuration: .init(facts.workout.flatMap { facts.activeTime(of: $0) })
        case .workoutTotal(let total):
            facts.workout?.total(total).map { .quantity($0.value, unit: $0.unit) } ?? .null
        case .workoutStatistic(let type, let measure):
            facts.workoutStatistics(of: type).map { $0.value(measure) } ?? .null
        case .quantity, .stateOfMindLabel, .stateOfMindAssociation: .null
        }
    }
}

extension SampleFacts {
    /// Returns the recorded duration of a workout in seconds. If none is recorded, returns the time
    /// from its start to its end minus the pauses; nil if the end is before the start.
    fileprivate func activeTime(of workout: Workout) -> Double? {
        workout.duration
            ?? (start <= end ? workout.events.activeTime(from: start, to: end) : nil)
    }
}

extension WorkoutStatistics {
    fileprivate func value(_ measure: SampleFilter.Measure) -> SampleFilter.Value {
        let number =
            switch measure {
            case .value, .sum: sum
            case .average: average
            case .minimum: minimum
            case .maximum: maximum
            case .mostRecent: mostRecent
            }
        guard let number, let unit else { return .null }
        return .quantity(number, unit: unit)
    }
}

extension Device {
    /// The value of a property that a filter tests; nil if it was not recorded.
    ///
    /// - Parameter property: The property.
    package subscript(property: SampleFilter.DeviceProperty) -> String? {
        switch property {
        case .name: name
        case .manufacturer: manufacturer
        case .model: model
        case .hardwareVersion: hardwareVersion
        case .firmwareVersion: firmwareVersion
        case .softwareVersion: softwareVersion
        case .localIdentifier: localIdentifier
        case .udiDeviceIdentifier: udiDeviceIdentifier
        }
    }
}
