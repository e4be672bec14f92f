import Foundation
import HealthEngine

/// Validates samples before they are saved. Apple's initializers reject invalid values but cannot
/// report an error; here `save` reports it (Semantics §9.5).
///
/// One instance validates many samples, and checks each compatible pair of a quantity type and a
/// unit once.
struct SampleValidation {
    private struct TypeAndUnit: Hashable {
        var type: ObjectIdentifier
        var unit: ObjectIdentifier
    }

    private var compatible: Set<TypeAndUnit> = []

    /// Checks an object.
    ///
    /// - Throws: `errorInvalidArgument` for the first violated rule.
    mutating func check(_ object: HKObject) throws(HKError) {
        guard let sample = object as? HKSample else {
            throw .invalidArgument("Only samples can be saved, not \(Swift.type(of: object)).")
        }
        try checkTimes(sample)
        try checkMetadata(sample)
        switch sample {
        case let sample as HKQuantitySample: try checkQuantity(sample)
        case let sample as HKCategorySample: try checkCategory(sample)
        case let sample as HKCorrelation: try checkMembers(sample)
        case let sample as HKDocumentSample: try checkDocument(sample)
        case let sample as HKStateOfMind: try checkValence(sample)
        case let sample as HKScoredAssessment: try checkAnswers(sample)
        case let sample as HKMedicationDoseEvent: try checkAmounts(sample)
        case let sample as HKAudiogramSample: try sample.checkContent()
        case let sample as HKVisionPrescription: try sample.checkContent()
        default: break
        }
    }

    private func checkTimes(_ sample: HKSample) throws(HKError) {
        let type = sample.sampleType
        guard sample.start.isFinite, sample.end.isFinite else {
            throw .invalidArgument("A sample of \(type.identifier) has an invalid date.")
        }
        guard sample.start <= sample.end else {
            throw .invalidArgument(
                "startDate (\(sample.startDate)) cannot occur after endDate (\(sample.endDate))")
        }
        if sample.hasUndeterminedDuration { return }
        let duration = sample.end - sample.start
        if let maximum = type.maximumDuration, duration > maximum {
            throw .invalidArgument(
                "startDate (\(sample.startDate)) and endDate (\(sample.endDate)) exceed the maximum "
                    + "allowed duration for this sample type. Maximum duration for type "
                    + "\(type.identifier) is \(maximum)")
        }
        if let minimum = type.minimumDuration, duration < minimum {
            throw .invalidArgument(
                "A sample of \(type.identifier) must last at least \(minimum) seconds.")
        }
    }

    private mutating func checkQuantity(_ sample: HKQuantitySample) throws(HKError) {
        let type = sample.quantityType
        guard sample.value.isFinite else {
            throw .invalidArgument("A quantity of \(type.identifier) is not a number.")
        }
        let pair = TypeAndUnit(type: ObjectIdentifier(type), unit: ObjectIdentifier(sample.unit))
        if compatible.contains(pair) { return }
        guard type.is(compatibleWith: sample.unit) else {
            throw .invalidArgument(
                "HKQuantitySample of \(type.identifier) is incompatible with the unit "
                    + "\(sample.unit.unitString)")
        }
        compatible.insert(pair)
    }

    private func checkCategory(_ sample: HKCategorySample) throws(HKError) {
        guard let enumeration = sample.sampleType.row?.valueEnumeration else { return }
        let values = Catalogue.values(of: enumeration)
        guard values.isEmpty || values.contains(where: { $0.rawValue == sample.value }) else {
            throw .invalidArgument(
                "The value of a sample of \(sample.sampleType.identifier) is not in \(enumeration)")
        }
    }

    private func checkDocument(_ sample: HKDocumentSample) throws(HKError) {
        guard sample.detail != nil else {
            throw .invalidArgument("A document without its data can't be saved.")
        }
    }

    private func checkValence(_ sample: HKStateOfMind) throws(HKError) {
        guard (-1...1).contains(sample.valence) else {
            throw .invalidArgument("The valence of a state of mind must be from -1 to 1.")
        }
    }

    private func checkAnswers(_ sample: HKScoredAssessment) throws(HKError) {
        let (count, expected) = (sample.rawAnswers.count, sample.questionCount)
        guard count == expected else {
            throw .invalidArgument(
                "\(sample.sampleType.identifier) has \(expected) questions, not \(count).")
        }
    }

    private func checkAmounts(_ sample: HKMedicationDoseEvent) throws(HKError) {
        let amounts = [sample.dose.amount, sample.dose.scheduledAmount, sample.dose.scheduled]
        guard amounts.allSatisfy({ $0?.isFinite ?? true }) else {
            throw .invalidArgument("An amount or a date of a medication dose is not a number.")
        }
    }

    private mutating func checkMembers(_ correlation: HKCorrelation) throws(HKError) {
        for name in correlation.sampleType.row?.requiredMembers ?? [] {
            let count = correlation.objects.count { $0.sampleType.row?.name == name }
            guard count == 1 else {
                throw .invalidArgument(
                    "A correlation of \(correlation.sampleType.identifier) needs exactly one "
                        + "sample of \(name), not \(count).")
            }
        }
        for member in correlation.objects {
            guard !(member is HKCorrelation || member is HKWorkout) else {
                throw .invalidArgument(
                    "A correlation can't contain \(member.sampleType.identifier).")
            }
            try check(member)
        }
    }
}

// MARK: - Metadata

extension SampleValidation {
    private func checkMetadata(_ sample: HKSample) throws(HKError) {
        let type = sample.sampleType
        for key in type.row?.requiredMetadata ?? [] {
            guard sample.sampleMetadata?.stored[key] != nil else {
                throw .invalidArgument("A sample of \(type.identifier) needs the metadata \(key).")
            }
        }
        guard let metadata = sample.sampleMetadata else { return }
        if let key = metadata.unsupportedKeys.first {
            throw .invalidArgument(
                "Metadata values must be text, numbers, dates or quantities; \(key) is none "
                    + "of them.")
        }
        for (key, value) in metadata.stored {
            if let known = Catalogue.metadataKey(key), !value.matches(known.valueKind) {
                throw .invalidArgument("The metadata \(key) has a value of the wrong class.")
            }
        }
        let hasIdentifier = metadata.stored[HKMetadataKeySyncIdentifier] != nil
        let hasVersion = metadata.stored[HKMetadataKeySyncVersion] != nil
        guard hasIdentifier == hasVersion else {
            throw .invalidArgument(
                "\(HKMetadataKeySyncIdentifier) and \(HKMetadataKeySyncVersion) must be set together."
            )
        }
    }
}

extension MetadataValue {
    fileprivate func matches(_ kind: MetadataKey.ValueKind) -> Bool {
        switch (self, kind) {
        case (.string, .string), (.date, .date): true
        case (.number, .number), (.number, .boolean), (.number, .enumeration): true
        case (.quantity(_, let unit), .quantity(let expected)):
            expected.flatMap { expected in
                guard let unit = UnitCache.unit(unit), let expected = UnitCache.unit(expected)
                else {
                    return nil
                }
                return unit.value.isCompatible(with: expected.value)
            } ?? true
        default: false
        }
    }
}

extension HKError {
    fileprivate static func invalidArgument(_ message: String) -> HKError {
        HKError(.errorInvalidArgument, message)
    }
}

extension HKSample {
    /// Checks the rules of `save` that depend only on the sample: its dates, value, unit, members
    /// and metadata. Not part of Apple's API.
    ///
    /// ```swift
    /// try HKQuantitySample(type: steps, quantity: grams, start: now, end: now).validate()
    /// // throws HKError.errorInvalidArgument: the unit doesn't suit the type
    /// ```
    /// Apple raises an exception in the initializer instead (Semantics §9.5).
    ///
    /// - Throws: `errorInvalidArgument` for the first violated rule.
    public func validate() throws(HKError) {
        var validation = SampleValidation()
        try validation.check(self)
    }

    /// Ends the process if `OPENHEALTH_STRICT` is 1 and ``validate()`` throws, where Apple raises
    /// an exception.
    func validateIfStrict() {
        guard isStrictByEnvironment else { return }
        do { try validate() } catch { trap(error) }
    }
}

/// Whether `OPENHEALTH_STRICT` is 1 in the environment: misuse that raises an exception on Apple's
/// platforms then ends the process.
let isStrictByEnvironment = ProcessInfo.processInfo.environment["OPENHEALTH_STRICT"] == "1"
