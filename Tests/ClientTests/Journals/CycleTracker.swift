import Foundation
import HealthKit

/// A cycle diary over the reproductive categories.
final class CycleTracker: Sendable {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func logFlow(_ raw: Int, cycleStart: Bool, day: Date) async throws {
        if #available(iOS 18.0, *) {
            let flow = HKCategoryValueVaginalBleeding(rawValue: raw) ?? .unspecified
            try await store.save(
                HKCategorySample(
                    type: HKCategoryType(.menstrualFlow), value: flow.rawValue, start: day,
                    end: day, metadata: [HKMetadataKeyMenstrualCycleStart: cycleStart]))
        } else {
            try await store.save(
                HKCategorySample(
                    type: HKCategoryType(.menstrualFlow),
                    value: HKCategoryValueMenstrualFlow.medium.rawValue, start: day, end: day,
                    metadata: [HKMetadataKeyMenstrualCycleStart: cycleStart]))
        }
    }
    func logDay(_ day: Date) async throws {
        let end = day.addingTimeInterval(60)
        try await store.save([
            HKCategorySample(
                type: .init(.ovulationTestResult),
                value: HKCategoryValueOvulationTestResult.luteinizingHormoneSurge.rawValue,
                start: day, end: end),
            HKCategorySample(
                type: .init(.cervicalMucusQuality),
                value: HKCategoryValueCervicalMucusQuality.eggWhite.rawValue, start: day, end: end),
            HKCategorySample(
                type: .init(.intermenstrualBleeding), value: HKCategoryValue.notApplicable.rawValue,
                start: day, end: end),
            HKCategorySample(
                type: .init(.sexualActivity), value: HKCategoryValue.notApplicable.rawValue,
                start: day, end: end, metadata: [HKMetadataKeySexualActivityProtectionUsed: true]),
            HKCategorySample(
                type: .init(.contraceptive),
                value: HKCategoryValueContraceptive.intrauterineDevice.rawValue, start: day,
                end: end),
            HKCategorySample(
                type: .init(.pregnancyTestResult),
                value: HKCategoryValuePregnancyTestResult.negative.rawValue, start: day, end: end),
            HKCategorySample(
                type: .init(.progesteroneTestResult),
                value: HKCategoryValueProgesteroneTestResult.positive.rawValue, start: day, end: end
            ),
            HKCategorySample(
                type: .init(.lactation), value: HKCategoryValue.notApplicable.rawValue, start: day,
                end: end),
            HKCategorySample(
                type: .init(.pregnancy), value: HKCategoryValue.notApplicable.rawValue, start: day,
                end: .distantFuture),
            HKQuantitySample(
                type: .init(.basalBodyTemperature),
                quantity: HKQuantity(unit: .degreeCelsius(), doubleValue: 36.6), start: day,
                end: day,
                metadata: [
                    HKMetadataKeyBodyTemperatureSensorLocation: HKBodyTemperatureSensorLocation
                        .mouth.rawValue
                ]),
        ])
    }
    func starts() async throws -> [Date] {
        let p = HKQuery.predicateForObjects(
            withMetadataKey: HKMetadataKeyMenstrualCycleStart, operatorType: .equalTo, value: true)
        return try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.menstrualFlow), predicate: p)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store).map(\.startDate)
    }
}
