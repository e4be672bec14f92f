import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Swift query descriptors")
struct DescriptorTests {
    private typealias Q = QueriedStore

    @Test(
        "a sample descriptor returns samples in order, up to its limit",
        .covers(
            "HKSampleQueryDescriptor", "HKSampleQueryDescriptor.predicates",
            "HKSampleQueryDescriptor.sortDescriptors", "HKSampleQueryDescriptor.limit",
            "HKSampleQueryDescriptor.result(for:)",
            "HKSampleQueryDescriptor.init(predicates:sortDescriptors:limit:)",
            "HKAsyncQuery.result(for:)", "HKSamplePredicate",
            "HKSamplePredicate.quantitySample(type:predicate:)"))
    func samples() async throws {
        let store = try await Q.open()
        try await store.save([
            Q.walk(1, from: 0, to: 50), Q.walk(2, from: 5, to: 10), Q.walk(3, from: 6, to: 40),
        ])
        var descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Q.steps)],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 2)
        #expect(try await descriptor.result(for: store).map(\.steps) == [1, 3])
        descriptor.sortDescriptors = [SortDescriptor(\.startDate)]
        descriptor.limit = nil
        descriptor.predicates = [
            .quantitySample(
                type: Q.steps,
                predicate: HKQuery.predicateForSamples(withStart: Q.minute(15), end: nil))
        ]
        #expect(try await descriptor.result(for: store).map(\.steps) == [1, 3])
        descriptor.predicates.append(.quantitySample(type: Q.heartRate))
        try await store.save(Q.beat(60, at: 2))
        #expect(
            try await descriptor.result(for: store).map(\.quantityType) == [
                Q.steps, Q.heartRate, Q.steps,
            ])
        #expect(descriptor.predicates.count == 2 && descriptor.limit == nil)
        descriptor.limit = -1
        let negative = descriptor
        #expect(
            await code { _ = try await negative.result(for: store) } == .errorInvalidArgument)
    }

    @Test("§9.9 a key path that can't be sorted by is an invalid argument")
    func unknownSortKey() async throws {
        let store = try await Q.open()
        let descriptor = HKSampleQueryDescriptor<HKQuantitySample>(
            predicates: [.quantitySample(type: Q.steps)],
            sortDescriptors: [SortDescriptor(\HKQuantitySample.uuid.uuidString)])
        #expect(
            await code { _ = try await descriptor.result(for: store) } == .errorInvalidArgument)
    }

    @Test(
        "a descriptor has its type and predicate, and is archived without the predicate",
        .covers(
            "HKQueryDescriptor", "HKQueryDescriptor.init(sampleType:predicate:)",
            "HKQueryDescriptor.sampleType", "HKQueryDescriptor.predicate"))
    func queryDescriptor() throws {
        let always = NSPredicate(value: true)
        let full = HKQueryDescriptor(sampleType: Q.steps, predicate: always)
        #expect(full.sampleType == Q.steps && full.predicate === always)
        let plain = HKQueryDescriptor(sampleType: Q.steps, predicate: nil)
        #expect(full != plain && plain.predicate == nil)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: plain, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: HKQueryDescriptor.self, from: data)
        #expect(read == plain && read?.hash == plain.hash)
    }

    @Test(
        "typed predicates have a type, and are equal if type and condition are equal",
        .covers(
            "HKSamplePredicate.categorySample(type:predicate:)",
            "HKSamplePredicate.sample(type:predicate:)", "HKSamplePredicate.workout(_:)",
            "HKSamplePredicate.clinicalRecord(type:predicate:)",
            "HKSamplePredicate.sampleType", "HKSamplePredicate.nsPredicate",
            "HKSamplePredicate.correlation(type:predicate:)", "HKSamplePredicate.workoutRoute(_:)",
            "HKSamplePredicate.stateOfMind(_:)", "HKSamplePredicate.gad7Assessment(_:)",
            "HKSamplePredicate.phq9Assessment(_:)"))
    func predicates() {
        let condition = NSPredicate(value: true)
        let sleep = HKSamplePredicate<HKCategorySample>
            .categorySample(type: Q.sleep, predicate: condition)
        #expect(sleep.sampleType == Q.sleep && sleep.nsPredicate === condition)
        #expect(sleep == .categorySample(type: Q.sleep, predicate: condition))
        #expect(sleep != .categorySample(type: Q.sleep))
        #expect(sleep.hashValue == sleep.hashValue)
        typealias Samples = HKSamplePredicate<HKSample>
        #expect(Samples.workout().sampleType == HKObjectType.workoutType())
        #expect(Samples.sample(type: Q.steps).sampleType == Q.steps)
        #expect(Samples.correlation(type: Q.bloodPressure).sampleType == Q.bloodPressure)
        #expect(Samples.workoutRoute().sampleType == HKSeriesType.workoutRoute())
        #expect(Samples.heartbeatSeries().sampleType == HKSeriesType.heartbeat())
        #expect(Samples.stateOfMind().sampleType == HKObjectType.stateOfMindType())
        #expect(Samples.gad7Assessment().sampleType == HKScoredAssessmentType(.GAD7))
        #expect(Samples.phq9Assessment().sampleType == HKScoredAssessmentType(.PHQ9))
        #expect(Samples.audiogram().sampleType == HKObjectType.audiogramSampleType())
        #expect(Samples.electrocardiogram().sampleType == HKObjectType.electrocardiogramType())
        #expect(Samples.visionPrescription().sampleType == HKObjectType.visionPrescriptionType())
        let allergies = HKClinicalType(.allergyRecord)
        #expect(Samples.clinicalRecord(type: allergies).sampleType == allergies)
        #expect(Samples.workout(condition).nsPredicate === condition)
        #expect(Samples.sample(type: Q.steps, predicate: condition).nsPredicate === condition)
        #expect(
            Samples.correlation(type: Q.bloodPressure, predicate: condition).nsPredicate
                === condition)
        #expect(Samples.workoutRoute(condition).nsPredicate === condition)
        #expect(Samples.heartbeatSeries(condition).nsPredicate === condition)
        #expect(Samples.stateOfMind(condition).nsPredicate === condition)
        #expect(Samples.gad7Assessment(condition).nsPredicate === condition)
        #expect(Samples.phq9Assessment(condition).nsPredicate === condition)
        #expect(Samples.audiogram(condition).nsPredicate === condition)
        #expect(Samples.electrocardiogram(condition).nsPredicate === condition)
        #expect(Samples.visionPrescription(condition).nsPredicate === condition)
        #expect(
            Samples.clinicalRecord(type: allergies, predicate: condition).nsPredicate
                === condition)
    }

    @Test(
        "§6.10 the first element is the initial result, then each change",
        .covers(
            "HKAnchoredObjectQueryDescriptor",
            "HKAnchoredObjectQueryDescriptor.init(predicates:anchor:limit:)",
            "HKAnchoredObjectQueryDescriptor.result(for:)",
            "HKAnchoredObjectQueryDescriptor.Result",
            "HKAnchoredObjectQueryDescriptor.Result.addedSamples",
            "HKAnchoredObjectQueryDescriptor.Result.deletedObjects",
            "HKAnchoredObjectQueryDescriptor.Result.newAnchor",
            "HKAsyncSequenceQuery.results(for:)"))
    func anchored() async throws {
        let store = try await Q.open()
        let walk = Q.walk(1, from: 0, to: 1)
        try await store.save(walk)
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Q.steps)], anchor: nil)
        let once = try await descriptor.result(for: store)
        #expect(once.addedSamples.map(\.steps) == [1] && once.deletedObjects.isEmpty)
        var results = descriptor.results(for: store).makeAsyncIterator()
        let first = try #require(try await results.next())
        #expect(first.addedSamples.map(\.steps) == [1])
        #expect(first.newAnchor == once.newAnchor)
        try await store.save(Q.walk(2, from: 1, to: 2))
        let second = try #require(try await results.next())
        #expect(second.addedSamples.map(\.steps) == [2])
        try await store.delete(walk)
        let third = try #require(try await results.next())
        #expect(third.deletedObjects.map(\.uuid) == [walk.uuid])
        let page = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Q.steps)], anchor: first.newAnchor, limit: 1
        ).result(for: store)
        #expect(page.addedSamples.map(\.steps) == [2])
    }

    @Test(
        "§5.11 statistics without data are nil, not an error",
        .covers(
            "HKStatisticsQueryDescriptor", "HKStatisticsQueryDescriptor.init(predicate:options:)",
            "HKStatisticsQueryDescriptor.predicate", "HKStatisticsQueryDescriptor.options",
            "HKStatisticsQueryDescriptor.result(for:)"))
    func statistics() async throws {
        let store = try await Q.open()
        var descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: Q.steps), options: .cumulativeSum)
        let none = try await descriptor.result(for: store)
        #expect(none == nil)
        try await store.save(Q.walk(12, from: 0, to: 1))
        let some = try await descriptor.result(for: store)
        #expect(some?.sumQuantity()?.doubleValue(for: .count()) == 12)
        try await store.save([Q.beat(60, at: 0), Q.beat(70, at: 1)])
        descriptor.predicate = .quantitySample(type: Q.heartRate)
        descriptor.options = [.discreteMin, .discreteMax]
        let rates = try await descriptor.result(for: store)
        #expect(rates?.minimumQuantity()?.doubleValue(for: Q.perMinute) == 60)
        #expect(rates?.maximumQuantity()?.doubleValue(for: Q.perMinute) == 70)
        descriptor.predicate = .quantitySample(type: Q.steps)
        descriptor.options = .discreteMax
        let wrong = descriptor
        #expect(await code { _ = try await wrong.result(for: store) } == .errorInvalidArgument)
    }

    @Test(
        "§5.10 a collection descriptor returns one result, or one for each changed bucket",
        .covers(
            "HKStatisticsCollectionQueryDescriptor",
            "HKStatisticsCollectionQueryDescriptor.result(for:)",
            "HKStatisticsCollectionQueryDescriptor.results(for:)",
            "HKStatisticsCollectionQueryDescriptor.Result",
            "HKStatisticsCollectionQueryDescriptor.Result.statisticsCollection",
            "HKStatisticsCollectionQueryDescriptor.Result.updatedStatistics",
            "HKStatisticsCollectionQueryDescriptor.init(*"))
    func collections() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(10, from: 0, to: 1))
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: Q.steps), options: .cumulativeSum,
            anchorDate: Q.midnight, intervalComponents: DateComponents(hour: 1))
        let once = try await descriptor.result(for: store)
        #expect(once.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) } == [10])
        var results = descriptor.results(for: store).makeAsyncIterator()
        let first = try #require(try await results.next())
        #expect(first.updatedStatistics == nil)
        #expect(first.statisticsCollection.statistics().count == 1)
        try await store.save(Q.walk(5, from: 70, to: 71))
        let second = try #require(try await results.next())
        #expect(second.updatedStatistics?.map(\.startDate) == [Q.minute(60)])
        #expect(second.statisticsCollection.statistics().count == 2)
    }

    @Test("§6.10 dropping the iterator stops the query")
    func droppedIterator() async throws {
        let store = try await Q.open()
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Q.steps)], anchor: nil)
        var iterator: HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Results.Iterator? =
            descriptor.results(for: store).makeAsyncIterator()
        _ = try await iterator?.next()
        #expect(store.longRunningQueries == 1)
        iterator = nil
        #expect(store.longRunningQueries == 0)
    }

    @Test("§6.10 cancelling the task ends the sequence and stops the query")
    func cancelledTask() async throws {
        let store = try await Q.open()
        let elements = Received<Int>()
        let task = Task {
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: Q.steps)], anchor: nil)
            for try await result in descriptor.results(for: store) {
                elements(result.addedSamples.count)
            }
            return elements.count
        }
        #expect(try await elements.next() == 0)
        #expect(store.longRunningQueries == 1)
        task.cancel()
        #expect(try await task.value == 1)
        try await waitUntil { store.longRunningQueries == 0 }
    }

    @Test("§6.10 cancelling the task cancels an awaited result")
    func cancelledResult() async throws {
        let store = try await Q.open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: Q.steps)], sortDescriptors: []
            ).result(for: store)
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test("§6.10 an error at the start ends the sequence")
    func failingSequence() async throws {
        let store = HKHealthStore.inMemory(configuration: .withoutSummary)
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: Q.steps)], anchor: nil)
        let found = await code { for try await _ in descriptor.results(for: store) {} }
        #expect(found == .errorAuthorizationNotDetermined)
        #expect(store.longRunningQueries == 0)
    }
}
