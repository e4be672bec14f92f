import Foundation
import HealthDashboard
import HealthSimulator
import OpenHealthKit
import Testing

/// An app's queries over a simulated person's import, compared with the simulation's truth.
@Suite struct ImportedPersonTests {
    let person: ImportedPerson
    let steps = HKQuantityType(.stepCount)

    init() throws { person = try ImportedPerson(seed: 4, days: 10) }

    @Test("daily steps are within 2 % of the truth, unlike the sum of all samples")
    func truth() async throws {
        try await person.store.requestAuthorization(toShare: [], read: [steps])
        let first = try person.midnight(try #require(person.truth.days.first))
        let days = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: first,
            intervalComponents: DateComponents(calendar: person.calendar, day: 1)
        ).result(for: person.store)
        var compared = 0
        for day in person.truth.days where day.steps > 500 {
            let statistics = days.statistics(for: try person.midnight(day))
            let counted = try #require(statistics?.sumQuantity()).doubleValue(for: .count())
            #expect(abs(counted / Double(day.steps) - 1) < 0.02, "\(day.date)")
            compared += 1
        }
        #expect(compared >= 8)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps)], sortDescriptors: []
        ).result(for: person.store)
        let actualSteps = Double(person.truth.days.reduce(0) { $0 + $1.steps })
        let rawTotal = samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
        #expect(rawTotal > actualSteps * 1.3)
        let mergedTotal = try #require(try samples.timeline().total()?.sum)
        #expect(abs(mergedTotal.doubleValue(for: .count()) / actualSteps - 1) < 0.02)
    }

    @Test("samples can be selected by source, device and metadata")
    func sourceFilters() async throws {
        try await person.store.requestAuthorization(toShare: [], read: [steps])
        let reader = StepReader(healthStore: person.store)
        let sources = try await reader.sources()
        let watch = sources.filter { $0.name.contains("Watch") }
        let phone = sources.filter { $0.name.contains("iPhone") }
        #expect(watch.count == 1 && phone.count == 1)
        #expect(
            watch.union(phone).allSatisfy { $0.bundleIdentifier.hasPrefix("com.apple.health.") })
        let span = DateInterval(start: .distantPast, end: .distantFuture)
        let all = try await reader.samples(on: span)
        let byWatch = try await reader.samples(from: watch, on: span)
        #expect(!byWatch.isEmpty && byWatch.count < all.count)
        #expect(byWatch.allSatisfy { watch.contains($0.sourceRevision.source) })
        // The same, filtered after the query.
        let bundle = watch.first?.bundleIdentifier
        let filtered = all.filter { $0.sourceRevision.source.bundleIdentifier == bundle }
        #expect(filtered.map(\.uuid) == byWatch.map(\.uuid))
        let models = HKQuery.predicateForObjects(
            withDeviceProperty: HKDevicePropertyKeyModel, allowedValues: ["Watch"])
        let byModel = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps, predicate: models)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: person.store)
        #expect(Set(byModel.map(\.uuid)) == Set(byWatch.map(\.uuid)))
        // The app hasn't written anything.
        let own = HKQuery.predicateForObjects(from: HKSource.default())
        let mine = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps, predicate: own)], sortDescriptors: []
        ).result(for: person.store)
        #expect(mine.isEmpty)
    }

    @Test(
        "the first synchronization returns every sample once, later ones the app's new saves")
    func paging() async throws {
        try await person.store.requestAuthorization(
            toShare: [HKQuantityType(.bodyMass)], read: [steps, HKQuantityType(.bodyMass)])
        var anchor: HKQueryAnchor?
        var seen: [UUID] = []
        while true {
            let page = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: steps)], anchor: anchor, limit: 100
            ).result(for: person.store)
            anchor = page.newAnchor
            #expect(page.addedSamples.count <= 100)
            if page.addedSamples.isEmpty && page.deletedObjects.isEmpty { break }
            seen += page.addedSamples.map(\.uuid)
        }
        let all = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps)], sortDescriptors: []
        ).result(for: person.store)
        #expect(seen.count == all.count)
        #expect(Set(seen) == Set(all.map(\.uuid)))
    }

    @Test("a night is read from its stages, and characteristics are those of the person")
    func sleepAndPerson() async throws {
        let sleep = HKCategoryType(.sleepAnalysis)
        try await person.store.requestAuthorization(
            toShare: [],
            read: [
                sleep, HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.biologicalSex),
            ])
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .categorySample(
                    type: sleep,
                    predicate: HKCategoryValueSleepAnalysis.predicateForSamples(
                        equalTo: HKCategoryValueSleepAnalysis.allAsleepValues))
            ], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: person.store)
        #expect(!samples.isEmpty)
        let asleep = Set(HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue))
        #expect(samples.allSatisfy { asleep.contains($0.value) })
        let night = try samples.timeline(until: .distantFuture)
        let hours = night.duration(of: asleep) / 3600 / Double(person.truth.days.count)
        #expect((5...9).contains(hours))
        #expect(try person.store.dateOfBirthComponents().year == 1995)
        #expect(try person.store.biologicalSex().biologicalSex == .male)
    }
}
