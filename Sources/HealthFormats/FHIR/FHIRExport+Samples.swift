import HealthEngine
package import HealthStorage

// Samples as they were recorded.
extension FHIRExport {
    /// Returns the Observations of a batch of samples, with the devices that they refer to.
    ///
    /// Blood pressures need their members in the batch (`ExportedMembership.withParents`). Samples
    /// of types that have no form here are counted as lost.
    ///
    /// - Parameter exported: A batch of a store's export.
    /// - Returns: The text.
    /// - Complexity: O(samples + their details).
    package mutating func text(_ exported: ExportedBatch) -> String {
        var batch = FHIRBatch(exported, settings.types)
        var text = ""
        for index in exported.batch.samples.indices { add(index, &batch, to: &text) }
        return text
    }

    private mutating func add(_ index: Int, _ batch: inout FHIRBatch, to text: inout String) {
        let sample = batch.samples.samples[index]
        guard let type = batch.type(of: index) else { return tally.lose(.types) }
        // Components are in their panel. Other members are exported with their own type.
        if let parent = batch.samples.parents[index], batch.isPanel(parent) { return }
        guard let observation = observation(index, type, &batch, &text) else { return }
        text += self.text(observation, of: type.identifier)
        if sample.metadata >= 0 { tally.lose(.metadata) }
    }

    /// Returns the Observation of a sample; nil if it has none, which is counted.
    private mutating func observation(
        _ index: Int, _ type: SampleType, _ batch: inout FHIRBatch, _ text: inout String
    ) -> FHIRObservation? {
        let isPanel = batch.isPanel(index)
        guard isPanel || [.quantity, .category, .workout].contains(type.kind) else {
            tally.lose(.types, 1, type.name)
            return nil
        }
        let sample = batch.samples.samples[index]
        guard let effective = effective(sample, type) else {
            tally.lose(.dates)
            return nil
        }
        let code = code(of: type)
        let uuid = batch.uuid(of: index)
        var result = FHIRObservation(
            id: ids.identifier("sample", uuid ?? "\(sample.sequence)"), uuid: uuid,
            profile: code.profile, category: code.category, code: code.code,
            effective: effective, device: reference(to: batch.device(of: index), &text))
        switch type.kind {
        case .quantity: setQuantity(&result, index, code, &batch)
        case .category: result.value = category(sample.value, type)
        case .workout: setWorkout(&result, batch.samples.details[index])
        default: setPanel(&result, index, &batch)
        }
        if !isPanel, !code.hasLOINC { tally.miss(.codes, type.name) }
        let isSleep = type.identifier == FHIRExport.sleepType
        if type.aggregation == .cumulative || isSleep { result.method = .recorded }
        if type.kind == .quantity, batch.samples.details[index] != nil { tally.lose(.details) }
        return result
    }

    /// Returns a reference to the device of an origin; nil if the origin has no source.
    private mutating func reference(to device: FHIRDevice?, _ text: inout String) -> String? {
        device.map { reference(to: $0, &text) }
    }

    /// Returns the time of a sample; nil if FHIR can't express it.
    private func effective(_ sample: Sample, _ type: SampleType) -> FHIRObservation.Effective? {
        let calendar = settings.calendar
        guard let start = calendar.fhirTime(sample.start) else { return nil }
        if sample.isInstant { return .instant(start) }
        if sample.isUndetermined { return .period(start: start, end: nil) }
        guard sample.end > sample.start, let end = calendar.fhirTime(sample.end) else { return nil }
        return .period(start: start, end: end)
    }

    /// Sets the value in the type's unit. If it can't be converted, the value has its own unit, and
    /// only HealthKit's code.
    private mutating func setQuantity(
        _ result: inout FHIRObservation, _ index: Int, _ code: FHIRTypeCode,
        _ batch: inout FHIRBatch
    ) {
        let value = batch.samples.samples[index].value
        if let unit = code.unit, let converted = batch.value(of: index, in: unit.symbol) {
            result.value = code.value(converted)
            missUnit(code.quantityUnit)
            return
        }
        (result.profile, result.code) = (nil, code.ownCode)
        if code.hasLOINC { tally.miss(.codes, code.name) }
        if result.category == "vital-signs" { result.category = nil }
        let unit = FHIRUnit.unit(batch.unit(of: index) ?? "")
        guard value.isFinite else {
            result.value = .absent(value.isNaN ? .unknown : .notANumber)
            return
        }
        let scaled = unit.scale == 1 ? value : FHIRText.settled(value * Double(unit.scale))
        result.value = .quantity(scaled, FHIRQuantityUnit(unit))
        missUnit(FHIRQuantityUnit(unit))
    }

    mutating func missUnit(_ unit: FHIRQuantityUnit) {
        if unit.ucum == nil { tally.miss(.units, unit.text ?? "without a unit") }
    }

    /// Returns the value of a category sample: the name of the enumeration's value, or the number
    /// if it has none.
    private func category(_ value: Double, _ type: SampleType) -> FHIRValue {
        guard let number = Int(exactly: value) else {
            return .absent(value.isNaN ? .unknown : .notANumber)
        }
        if let known = type.valueEnumeration.flatMap({ Catalogue.value(number, of: $0) }) {
            return .concept(
                .concept(
                    [(FHIRSystem.value, FHIRText.code(known.exportedName))],
                    FHIRText.words(known.name)))
        }
        // An integer of FHIR has 32 bits.
        return Int32(exactly: number) == nil ? .absent(.notANumber) : .integer(number)
    }

    // MARK: - Blood pressure

    private mutating func setPanel(
        _ result: inout FHIRObservation, _ index: Int, _ batch: inout FHIRBatch
    ) {
        for type in FHIRBatch.components {
            let members = batch.members(of: index).filter {
                batch.samples.samples[$0].type == type.code
            }
            let member = members.first
            tally.lose(.details, max(0, members.count - 1), type.name)
            let code = code(of: type)
            let value = member.flatMap { batch.value(of: $0, in: code.unit?.symbol ?? "") }
            result.components.append(
                .init(code: code.code, value: value.map(code.value) ?? .absent(.unknown)))
        }
    }

    // MARK: - Workouts

    private mutating func setWorkout(_ result: inout FHIRObservation, _ detail: SampleDetail?) {
        guard case .workout(let workout) = detail else {
            result.value = .absent(.unknown)
            return
        }
        let name =
            FHIRText.string(workout.unknownActivityName)
            ?? Catalogue.workoutActivity(workout.activityType)?.name ?? "\(workout.activityType)"
        result.value = .concept(
            .concept([(FHIRSystem.activity, FHIRText.code(name))], FHIRText.words(name)))
        if let duration = workout.duration, duration.isFinite {
            result.components.append(
                .init(
                    code: .measure(.workoutDuration), value: .quantity(duration, .seconds)))
        }
        for statistics in workout.statistics { add(statistics, to: &result) }
        tally.lose(.routes, workout.routes.count)
        tally.lose(
            .workoutEvents,
            workout.events.count + workout.activities.count + workout.zones.count)
    }

    /// Adds the sum of a type under the type's code, and the average, minimum and maximum under
    /// codes of their own: they aren't single readings.
    private mutating func add(_ statistics: WorkoutStatistics, to result: inout FHIRObservation) {
        guard let type = Catalogue.type(identifier: statistics.type) else {
            return tally.lose(.details, 1, FHIRText.string(statistics.type))
        }
        let code = code(of: type)
        let values: [(value: Double?, name: String?)] = [
            (statistics.sum, nil), (statistics.average, "average"),
            (statistics.minimum, "minimum"), (statistics.maximum, "maximum"),
        ]
        for (value, name) in values {
            guard let value, let unit = code.unit,
                let converted = SampleFilter.Value.convert(
                    value, from: statistics.unit ?? "", to: unit.symbol)
            else { continue }
            let concept =
                name.map {
                    JSONText.concept(
                        [(FHIRSystem.measure, type.name + "-" + $0)],
                        FHIRText.words(type.name) + ", " + $0)
                } ?? code.code
            missUnit(code.quantityUnit)
            result.components.append(
                .init(code: concept, value: code.value(FHIRText.settled(converted))))
        }
    }
}
