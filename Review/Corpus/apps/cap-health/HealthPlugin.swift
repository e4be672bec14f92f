import Capacitor
import Foundation
import HealthKit

@objc(HealthPlugin)
public class HealthPlugin: CAPPlugin, CAPBridgedPlugin {

    public let identifier = "HealthPlugin"
    public let jsName = "Health"
    public let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "isAvailable", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "requestAuthorization", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "queryAggregated", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "querySamples", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "queryWorkouts", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "sync", returnType: CAPPluginReturnPromise),
    ]

    let store = HKHealthStore()
    lazy var aggregates = AggregateReader(store: store)
    lazy var syncer = ChangeReader(store: store)

    @objc func isAvailable(_ call: CAPPluginCall) {
        call.resolve(["available": HKHealthStore.isHealthDataAvailable()])
    }

    @objc func requestAuthorization(_ call: CAPPluginCall) {
        let read = Set((call.getArray("read", String.self) ?? []).flatMap(HealthTypes.objects(named:)))
        let write = Set((call.getArray("write", String.self) ?? []).flatMap(HealthTypes.samples(named:)))
        store.requestAuthorization(toShare: write, read: read) { success, error in
            if let error = error {
                call.reject(error.localizedDescription)
                return
            }
            var granted: [String: Bool] = [:]
            for type in write {
                granted[type.identifier] = self.store.authorizationStatus(for: type) == .sharingAuthorized
            }
            call.resolve(["shown": success, "write": granted])
        }
    }

    @objc func queryAggregated(_ call: CAPPluginCall) {
        guard let start = call.getDate("startDate"), let end = call.getDate("endDate"),
            let name = call.getString("dataType"), let kind = HealthTypes.quantity(named: name)
        else {
            call.reject("startDate, endDate and dataType are required")
            return
        }
        aggregates.days(of: kind, from: start, to: end) { result in
            switch result {
            case .success(let days): call.resolve(["aggregatedData": days])
            case .failure(let error): call.reject(error.localizedDescription)
            }
        }
    }

    @objc func querySamples(_ call: CAPPluginCall) {
        guard let name = call.getString("dataType"), let kind = HealthTypes.quantity(named: name) else {
            call.reject("Unknown data type")
            return
        }
        let limit = call.getInt("limit") ?? 100
        let query = HKSampleQuery(
            sampleType: kind.type, predicate: predicate(of: call), limit: limit,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)]
        ) { _, samples, error in
            if let error = error {
                call.reject(error.localizedDescription)
                return
            }
            let output = (samples as? [HKQuantitySample] ?? []).map { sample -> [String: Any] in
                [
                    "uuid": sample.uuid.uuidString,
                    "value": sample.quantity.doubleValue(for: kind.unit),
                    "source": sample.sourceRevision.source.name,
                    "sourceBundleId": sample.sourceRevision.source.bundleIdentifier,
                    "startDate": ISO8601DateFormatter().string(from: sample.startDate),
                ]
            }
            call.resolve(["resultData": output, "countReturn": output.count])
        }
        store.execute(query)
    }

    @objc func queryWorkouts(_ call: CAPPluginCall) {
        let query = HKSampleQuery(
            sampleType: HKObjectType.workoutType(), predicate: predicate(of: call),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, error in
            guard let workouts = samples as? [HKWorkout] else {
                call.reject(error?.localizedDescription ?? "No workouts")
                return
            }
            var minutes = 0.0
            for workout in workouts { minutes += workout.duration / 60 }
            call.resolve(["count": workouts.count, "minutes": minutes])
        }
        store.execute(query)
    }

    @objc func sync(_ call: CAPPluginCall) {
        syncer.readNew { steps, weights in
            call.resolve(["steps": steps, "weights": weights])
        }
    }

    private func predicate(of call: CAPPluginCall) -> NSPredicate? {
        HKQuery.predicateForSamples(
            withStart: call.getDate("startDate"), end: call.getDate("endDate"), options: .strictStartDate)
    }
}
