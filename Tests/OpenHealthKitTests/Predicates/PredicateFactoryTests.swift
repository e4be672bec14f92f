import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import OpenHealthKit

/// `HKQuery`'s predicates, each with matching and other samples.
@Suite struct PredicateFactoryTests {
    @Test(
        "§2.1 a date interval includes or excludes its boundaries according to the options",
        .covers("HKQuery.predicateForSamples(withStart:end:options:)", "HKQueryOptions"),
        arguments: [
            (0.0, 9.0, [false, false, false, false]), (0, 10, [true, false, true, false]),
            (0, 11, [true, false, true, false]), (0, 30, [true, false, false, false]),
            (10, 10, [true, true, true, true]), (10, 19, [true, true, true, true]),
            (10, 20, [true, true, false, false]), (19, 20, [true, true, false, false]),
            (20, 20, [false, false, false, false]), (20, 25, [false, false, false, false]),
        ])
    func ranges(start: Double, end: Double, expected: [Bool]) {
        let sample = PredicateSamples.steps(from: start, to: end)
        let options: [HKQueryOptions] = [
            [], .strictStartDate, .strictEndDate, [.strictStartDate, .strictEndDate],
        ]
        for (options, expected) in zip(options, expected) {
            let predicate = HKQuery.predicateForSamples(
                withStart: PredicateSamples.at(10), end: PredicateSamples.at(20), options: options)
            #expect(predicate.evaluate(with: sample) == expected, "\(options)")
        }
    }

    @Test(
        "§2.1 a nil date removes the conditions that use it",
        .covers("HKQuery.predicateForSamples(withStart:end:options:)"))
    func openRanges() {
        let sample = PredicateSamples.steps(from: 10, to: 20)
        func matches(_ start: Double?, _ end: Double?, _ options: HKQueryOptions = []) -> Bool {
            HKQuery.predicateForSamples(
                withStart: start.map { PredicateSamples.at($0) },
                end: end.map { PredicateSamples.at($0) }, options: options
            ).evaluate(with: sample)
        }
        #expect(matches(nil, nil) && matches(nil, nil, .strictStartDate))
        #expect(matches(20, nil) && !matches(21, nil))
        #expect(matches(nil, 11) && !matches(nil, 10))
        #expect(matches(10, nil, .strictStartDate) && !matches(11, nil, .strictStartDate))
        #expect(matches(nil, 21, .strictEndDate) && !matches(nil, 20, .strictEndDate))
        let predicate = HKQuery.predicateForSamples(withStart: nil, end: PredicateSamples.at(11))
        #expect(predicate.evaluate(with: sample))
    }

    @Test("the time bounds of a date predicate are exact, so the index alone can evaluate it")
    func indexable() throws {
        let filter = try SampleFilter(
            HKQuery.predicateForSamples(
                withStart: PredicateSamples.at(10), end: PredicateSamples.at(20)),
            for: HKQuantityType(.stepCount))
        #expect(filter.residualFilter == .everything)
        #expect(filter.timeBounds.end.lower == .init(10, isIncluded: true))
        #expect(filter.timeBounds.start.upper == .init(20, isIncluded: false))
    }

    @Test(
        "§2.9 metadata predicates test presence, allowed values and comparisons",
        .covers(
            "HKQuery.predicateForObjects(withMetadataKey:)",
            "HKQuery.predicateForObjects(withMetadataKey:allowedValues:)",
            "HKQuery.predicateForObjects(withMetadataKey:operatorType:value:)"))
    func metadata() {
        let entered = PredicateSamples.steps(
            metadata: [HKMetadataKeyWasUserEntered: true, "lap.first": 3])
        let plain = PredicateSamples.steps()
        func matches(_ predicate: NSPredicate) -> [Bool] {
            [predicate.evaluate(with: entered), predicate.evaluate(with: plain)]
        }
        let key = HKMetadataKeyWasUserEntered
        #expect(matches(HKQuery.predicateForObjects(withMetadataKey: key)) == [true, false])
        #expect(
            matches(HKQuery.predicateForObjects(withMetadataKey: "lap.first")) == [true, false])
        #expect(
            matches(HKQuery.predicateForObjects(withMetadataKey: key, allowedValues: [1, "a"]))
                == [true, false])
        #expect(
            matches(HKQuery.predicateForObjects(withMetadataKey: key, allowedValues: []))
                == [false, false])
        #expect(
            matches(
                HKQuery.predicateForObjects(
                    withMetadataKey: key, operatorType: .notEqualTo, value: true)) == [false, true])
        #expect(
            matches(
                HKQuery.predicateForObjects(
                    withMetadataKey: "lap.first", operatorType: .lessThan, value: 4))
                == [true, false])
        #expect(
            matches(
                HKQuery.predicateForObjects(
                    withMetadataKey: "lap.first", operatorType: .between, value: [3, 4]))
                == [true, false])
    }

    private let app = HKSource(_name: "App", bundleIdentifier: "org.app")
    private let other = HKSource(_name: "Other", bundleIdentifier: "org.other")

    @Test(
        "predicates select objects of one source, several sources and the current app",
        .covers("HKQuery.predicateForObjects(from:)"))
    func sources() throws {
        let sample = PredicateSamples.stored(HKSourceRevision(source: app, version: "1"))
        #expect(HKQuery.predicateForObjects(from: app).evaluate(with: sample))
        #expect(!HKQuery.predicateForObjects(from: other).evaluate(with: sample))
        #expect(HKQuery.predicateForObjects(from: [app, other]).evaluate(with: sample))
        #expect(!HKQuery.predicateForObjects(from: Set<HKSource>()).evaluate(with: sample))

        let own = HKQuery.predicateForObjects(from: .default())
        #expect(own.evaluate(with: PredicateSamples.steps()))
        let filter = try SampleFilter(own, for: HKQuantityType(.stepCount), thisApp: "org.me")
        #expect(filter.bundleIdentifiers == ["org.me"])
    }

    @Test(
        "in a revision predicate, constants match any version, and nil matches an unknown one",
        .covers("HKSourceRevisionAnyVersion", "HKSourceRevisionAnyProductType"))
    func revisions() {
        let system = OperatingSystemVersion(majorVersion: 17, minorVersion: 1, patchVersion: 0)
        let sample = PredicateSamples.stored(
            HKSourceRevision(
                source: app, version: "1.2", productType: "Watch6,2",
                operatingSystemVersion: system))
        func matches(
            _ source: HKSource, _ version: String?, _ product: String?,
            _ system: OperatingSystemVersion
        ) -> Bool {
            HKQuery.predicateForObjects(from: [
                HKSourceRevision(
                    source: source, version: version, productType: product,
                    operatingSystemVersion: system)
            ]).evaluate(with: sample)
        }
        let any = HKSourceRevisionAnyOperatingSystem
        let old = OperatingSystemVersion(majorVersion: 16, minorVersion: 1, patchVersion: 0)
        #expect(matches(app, "1.2", "Watch6,2", system))
        #expect(matches(app, HKSourceRevisionAnyVersion, HKSourceRevisionAnyProductType, any))
        #expect(!matches(other, HKSourceRevisionAnyVersion, HKSourceRevisionAnyProductType, any))
        #expect(!matches(app, "1.3", HKSourceRevisionAnyProductType, any))
        #expect(!matches(app, nil, HKSourceRevisionAnyProductType, any))
        #expect(!matches(app, "1.2", "iPhone", any))
        #expect(!matches(app, "1.2", nil, any))
        #expect(!matches(app, "1.2", "Watch6,2", old))
    }

    @Test(
        "device predicates match equal devices, or devices with a property value",
        .covers("HKQuery.predicateForObjects(withDeviceProperty:allowedValues:)"))
    func devices() {
        func device(_ name: String?, _ model: String?) -> HKDevice {
            HKDevice(
                name: name, manufacturer: nil, model: model, hardwareVersion: nil,
                firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
                udiDeviceIdentifier: nil)
        }
        let sample = PredicateSamples.steps(device: device("Strap", "H10"))
        #expect(
            HKQuery.predicateForObjects(from: [device("Strap", "H10"), device("x", nil)])
                .evaluate(with: sample))
        #expect(!HKQuery.predicateForObjects(from: [device("Strap", nil)]).evaluate(with: sample))
        func has(_ key: String, _ values: Set<String>) -> Bool {
            HKQuery.predicateForObjects(withDeviceProperty: key, allowedValues: values)
                .evaluate(with: sample)
        }
        #expect(has(HKDevicePropertyKeyModel, ["H10", "H9"]))
        #expect(!has(HKDevicePropertyKeyModel, ["H9"]) && !has(HKDevicePropertyKeyModel, []))
        #expect(!has(HKDevicePropertyKeyManufacturer, ["H10"]))
        #expect(
            HKQuery.predicateForObjects(withDeviceProperty: "colour", allowedValues: ["red"])
                .rejectionReason()?.contains("device.colour") == true)
    }

    @Test(
        "a UUID predicate selects the objects with these UUIDs",
        .covers("HKQuery.predicateForObject(with:)", "HKQuery.predicateForObjects(with:)"))
    func uuids() throws {
        let (one, two) = (PredicateSamples.steps(), PredicateSamples.steps())
        #expect(HKQuery.predicateForObject(with: one.uuid).evaluate(with: one))
        #expect(!HKQuery.predicateForObject(with: one.uuid).evaluate(with: two))
        let some = HKQuery.predicateForObjects(with: [one.uuid, UUID()])
        #expect(some.evaluate(with: one) && !some.evaluate(with: two))
        let filter = try SampleFilter(some, for: nil)
        #expect(filter.uuids?.contains(try #require(SampleUUID(one.uuid.uuidString))) == true)
        #expect(!HKQuery.predicateForObjects(with: Set<UUID>()).evaluate(with: one))
    }

    @Test(
        "§10.3 predicates select samples without a correlation, and samples of a workout",
        .covers("HKQuery.predicateForObjectsWithNoCorrelation()"))
    func membership() throws {
        let alone = HKQuery.predicateForObjectsWithNoCorrelation()
        #expect(alone.evaluate(with: PredicateSamples.steps()))
        #expect(try SampleFilter(alone, for: nil) == .hasNoCorrelation)
        let workout = PredicateSamples.workout()
        let members = HKQuery.predicateForObjects(from: workout)
        let uuid = try #require(SampleUUID(workout.uuid.uuidString))
        #expect(try SampleFilter(members, for: nil).containers == [uuid])
        let format = NSPredicate(format: "%K == %@", HKPredicateKeyPathWorkout, workout)
        #expect(format == members)
    }

    @Test(
        "§2.9 quantities are compared in the type's unit, category values by number",
        .covers(
            "HKQuery.predicateForQuantitySamples(with:quantity:)",
            "HKQuery.predicateForCategorySamples(with:value:)",
            "HKCategoryValuePredicateProviding.predicateForSamples(equalTo:)",
            "HKCategoryValuePredicateProviding.predicateForSamples(_:value:)"))
    func values() {
        let warm = HKQuantitySample(
            type: HKQuantityType(.bodyTemperature),
            quantity: HKQuantity(unit: .degreeFahrenheit(), doubleValue: 98.6),
            start: PredicateSamples.at(0), end: PredicateSamples.at(0))
        let celsius = HKQuantity(unit: .degreeCelsius(), doubleValue: 37)
        func warmth(_ comparison: _ComparisonOperator) -> Bool {
            HKQuery.predicateForQuantitySamples(with: comparison, quantity: celsius)
                .evaluate(with: warm)
        }
        #expect(warmth(.equalTo) && warmth(.lessThanOrEqualTo) && !warmth(.greaterThan))
        let deep = PredicateSamples.sleep(.asleepDeep)
        #expect(
            HKQuery.predicateForCategorySamples(with: .greaterThan, value: 3).evaluate(with: deep))
        #expect(
            !HKQuery.predicateForCategorySamples(with: .equalTo, value: 3).evaluate(with: deep))
        let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(
            equalTo: HKCategoryValueSleepAnalysis.allAsleepValues)
        #expect(asleep.evaluate(with: deep))
        #expect(!asleep.evaluate(with: PredicateSamples.sleep(.inBed)))
        let awake = HKCategoryValueSleepAnalysis.predicateForSamples(.notEqualTo, value: .awake)
        #expect(awake.evaluate(with: deep))
        #expect(!awake.evaluate(with: PredicateSamples.sleep(.awake)))
    }

    @Test(
        "states of mind are selected by valence, kind, label and association",
        .covers(
            "HKQuery.predicateForStatesOfMind(with:)",
            "HKQuery.predicateForStatesOfMind(withValence:operatorType:)"))
    func statesOfMind() {
        let mind = HKStateOfMind(
            date: PredicateSamples.at(0), kind: .dailyMood, valence: 0.4,
            labels: [.happy, .calm], associations: [.work])
        func matches(_ predicate: NSPredicate) -> Bool {
            #expect(predicate.rejectionReason(for: .stateOfMindType()) == nil)
            return predicate.evaluate(with: mind)
        }
        #expect(
            matches(HKQuery.predicateForStatesOfMind(withValence: 0, operatorType: .greaterThan)))
        #expect(
            !matches(HKQuery.predicateForStatesOfMind(withValence: 0.4, operatorType: .lessThan)))
        #expect(
            matches(HKQuery.predicateForStatesOfMind(withValence: 0.4, operatorType: .equalTo)))
        #expect(matches(HKQuery.predicateForStatesOfMind(with: .dailyMood)))
        #expect(!matches(HKQuery.predicateForStatesOfMind(with: .momentaryEmotion)))
        #expect(matches(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.calm)))
        #expect(!matches(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.sad)))
        #expect(matches(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Association.work)))
        #expect(!matches(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Association.money)))
    }

    @Test(
        "§10.1 activity summaries are selected by a day, or by a first and last day",
        .covers(
            "HKQuery.predicateForActivitySummary(with:)",
            "HKQuery.predicate(forActivitySummariesBetweenStart:end:)"))
    func summaries() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        func day(_ day: Int, in calendar: Calendar?) -> DateComponents {
            DateComponents(calendar: calendar, year: 2024, month: 3, day: day)
        }
        let type = HKObjectType.activitySummaryType()
        let one = HKQuery.predicateForActivitySummary(with: day(9, in: calendar))
        #expect(
            try SampleFilter(one, for: type)
                == .test(.day, .compare(.equal, .string("2024-03-09"))))
        let range = HKQuery.predicate(
            forActivitySummariesBetweenStart: day(9, in: calendar), end: day(11, in: calendar))
        #expect(
            try SampleFilter(range, for: type)
                == .and([
                    .test(.day, .compare(.atLeast, .string("2024-03-09"))),
                    .test(.day, .compare(.atMost, .string("2024-03-11"))),
                ]))
        for (day, expected) in [("08", false), ("09", true), ("11", true), ("12", false)] {
            let summary = HKActivitySummary(_summary: ActivitySummary(date: "2024-03-\(day)"))
            #expect(range.evaluate(with: summary) == expected)
            #expect(one.evaluate(with: summary) == (day == "09"))
        }
        #expect(!range.evaluate(with: HKActivitySummary()))
        var buddhist = Calendar(identifier: .buddhist)
        buddhist.timeZone = calendar.timeZone
        let components = DateComponents(calendar: buddhist, year: 2567, month: 3, day: 9)
        #expect(
            try SampleFilter(HKQuery.predicateForActivitySummary(with: components), for: type)
                == .test(.day, .compare(.equal, .string("2024-03-09"))))
        #expect(
            HKQuery.predicateForActivitySummary(with: day(9, in: nil)).rejectionReason(for: type)?
                .contains("needs DateComponents with a calendar") == true)
    }

    @Test(
        "electrocardiograms are matched by classification, symptoms and heart rate",
        .covers(
            "HKQuery.predicateForElectrocardiograms(classification:)",
            "HKQuery.predicateForElectrocardiograms(symptomsStatus:)"))
    func electrocardiograms() throws {
        let type = HKObjectType.electrocardiogramType()
        let fibrillation = HKQuery.predicateForElectrocardiograms(
            classification: .atrialFibrillation)
        let present = HKQuery.predicateForElectrocardiograms(symptomsStatus: .present)
        let fast = NSPredicate(
            format: "%K > %@", HKPredicateKeyPathAverageHeartRate,
            HKQuantity(unit: HKUnit(from: "count/s"), doubleValue: 1.5))
        let sample = HKElectrocardiogram(
            _record: SampleRecord(
                type, start: .distantPast, end: .distantPast, device: nil, metadata: nil),
            numbers: ["classification": [2], "symptomsStatus": [1], "averageHeartRate": [97]])
        #expect(fibrillation.evaluate(with: sample))
        #expect(!present.evaluate(with: sample))
        #expect(
            HKQuery.predicateForElectrocardiograms(symptomsStatus: .none).evaluate(with: sample))
        #expect(fast.evaluate(with: sample))
        #expect(
            try SampleFilter(fibrillation, for: type)
                == .test(.electrocardiogramClassification, .compare(.equal, .number(2))))
        let symptoms = HKQuery.predicateForObjectsAssociated(electrocardiogram: sample)
        #expect(try SampleFilter(symptoms, for: HKCategoryType(.fatigue)) == .nothing)
        #expect(!symptoms.evaluate(with: PredicateSamples.sleep(.awake)))
        #expect(
            fibrillation.rejectionReason(for: HKQuantityType(.stepCount))?
                .contains("is not an attribute") == true)
    }

    @Test(
        "predicates for doses name their attribute and are rejected for other types",
        .covers(
            "HKQuery.predicateForMedicationDoseEvent(status:)",
            "HKQuery.predicateForMedicationDoseEvent(statuses:)",
            "HKQuery.predicateForMedicationDoseEvent(scheduledDate:)",
            "HKQuery.predicateForMedicationDoseEvent(scheduledDates:)",
            "HKQuery.predicateForMedicationDoseEvent(scheduledStart:end:)",
            "HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifier:)",
            "HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifiers:)"))
    func doses() throws {
        let type = HKObjectType.medicationDoseEventType()
        let concept = HKHealthConceptIdentifier(_domain: .medication, identifier: "A")
        let expected: [(NSPredicate, SampleFilter.Attribute)] = [
            (HKQuery.predicateForMedicationDoseEvent(status: .taken), .doseStatus),
            (HKQuery.predicateForMedicationDoseEvent(statuses: [1]), .doseStatus),
            (
                HKQuery.predicateForMedicationDoseEvent(scheduledDate: .distantPast),
                .doseScheduled
            ),
            (HKQuery.predicateForMedicationDoseEvent(scheduledDates: []), .doseScheduled),
            (
                HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifier: concept),
                .doseMedication
            ),
            (
                HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifiers: [concept]),
                .doseMedication
            ),
        ]
        for (predicate, attribute) in expected {
            guard case .test(attribute, _) = try SampleFilter(predicate, for: type) else {
                Issue.record("\(predicate)")
                continue
            }
        }
        let interval = HKQuery.predicateForMedicationDoseEvent(scheduledStart: nil, end: nil)
        for predicate in expected.map(\.0) + [interval] {
            #expect(
                predicate.rejectionReason(for: HKQuantityType(.stepCount))?
                    .contains("is not an attribute") == true)
        }
    }
}
