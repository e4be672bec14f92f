import Combine
import HealthKit

/// Blood pressure, weight and oxygen of the last month.
final class PressureViewModel: ObservableObject {

    struct Reading {
        let date: Date
        let systolic: Double
        let diastolic: Double
    }

    @Published private(set) var readings: [Reading] = []
    @Published private(set) var weight: Double = 0
    @Published private(set) var oxygen: Double = 0
    @Published var isAuthorized = false

    private let store: HKHealthStore
    private var cancellables: Set<AnyCancellable> = []

    init(store: HKHealthStore) {
        self.store = store
    }

    private var shareTypes: Set<HKSampleType> {
        [
            HKObjectType.quantityType(forIdentifier: .bloodPressureSystolic)!,
            HKObjectType.quantityType(forIdentifier: .bloodPressureDiastolic)!,
        ]
    }

    func authorize() {
        store.requestAuthorization(toShare: shareTypes, read: shareTypes) { [weak self] success, _ in
            DispatchQueue.main.async {
                self?.isAuthorized = success // finds success-as-permission
            }
        }
    }

    func canWritePressure() -> Bool {
        shareTypes.allSatisfy {
            store.authorizationStatus(for: $0) == .sharingAuthorized
        }
    }

    func loadReadings() {
        guard let correlation = HKObjectType.correlationType(forIdentifier: .bloodPressure) else { return }
        let query = HKCorrelationQuery( // finds unbounded-query
            type: correlation, predicate: nil, samplePredicates: nil
        ) { [weak self] _, correlations, error in
            let readings = (correlations ?? []).compactMap(Self.reading)  // finds error-as-zero
            DispatchQueue.main.async { self?.readings = readings }
        }
        store.execute(query)
    }

    private static func reading(_ correlation: HKCorrelation) -> Reading? {
        guard
            let systolicType = HKQuantityType.quantityType(forIdentifier: .bloodPressureSystolic),
            let diastolicType = HKQuantityType.quantityType(forIdentifier: .bloodPressureDiastolic),
            let systolic = correlation.objects(for: systolicType).first as? HKQuantitySample,
            let diastolic = correlation.objects(for: diastolicType).first as? HKQuantitySample
        else { return nil }
        return Reading(
            date: correlation.startDate,
            systolic: systolic.quantity.doubleValue(for: .millimeterOfMercury()),
            diastolic: diastolic.quantity.doubleValue(for: .millimeterOfMercury()))
    }

    func loadOxygen() {
        guard let type = HKQuantityType.quantityType(forIdentifier: .oxygenSaturation) else { return }
        let month = HKQuery.predicateForSamples(
            withStart: Calendar.current.date(byAdding: .month, value: -1, to: Date()), end: Date())
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: month, options: .discreteAverage
        ) { [weak self] _, statistics, _ in
            let value = statistics?.averageQuantity()?.doubleValue(for: .percent()) ?? 0  // finds error-as-zero
            self?.oxygen = value * 100 // finds main-actor-state
        }
        store.execute(query)
    }

    func loadWeight() {
        guard let type = HKQuantityType.quantityType(forIdentifier: .bodyMass) else { return }
        store.samples(type, predicate: nil, limit: 1)
            .compactMap { ($0.first as? HKQuantitySample)?.quantity.doubleValue(for: .gramUnit(with: .kilo)) }
            .replaceError(with: 0)
            .receive(on: RunLoop.main)
            .assign(to: \.weight, on: self)
            .store(in: &cancellables)
    }

    func save(systolic: Double, diastolic: Double, at date: Date) {
        guard
            canWritePressure(),
            let systolicType = HKQuantityType.quantityType(forIdentifier: .bloodPressureSystolic),
            let diastolicType = HKQuantityType.quantityType(forIdentifier: .bloodPressureDiastolic),
            let correlationType = HKCorrelationType.correlationType(forIdentifier: .bloodPressure)
        else { return }
        let unit = HKUnit(from: "mmHg")
        let objects: Set<HKSample> = [
            HKQuantitySample(
                type: systolicType, quantity: HKQuantity(unit: unit, doubleValue: systolic),
                start: date, end: date),
            HKQuantitySample(
                type: diastolicType, quantity: HKQuantity(unit: unit, doubleValue: diastolic),
                start: date, end: date),
        ]
        let correlation = HKCorrelation(type: correlationType, start: date, end: date, objects: objects)
        store.save(correlation) { success, error in
            if !success { print("Not saved:", error ?? "unknown") }
        }
    }
}
