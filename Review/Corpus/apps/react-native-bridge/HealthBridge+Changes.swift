// Anchored changes for JavaScript, the anchor as a base64 string kept by the caller.
import Foundation
import HealthKit
import React

extension HealthBridge {
    @objc(queryChanges:unit:anchor:limit:resolve:reject:)
    func queryChanges(
        identifier: String, unit: String, anchor: String?, limit: Int,
        resolve: @escaping RCTPromiseResolveBlock, reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let type = sampleType(named: identifier) else {
            reject("TYPE", "unknown type \(identifier)", nil)
            return
        }
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchor.flatMap(decodeAnchor), limit: limit
        ) { _, samples, deleted, newAnchor, error in
            if let error {
                reject("QUERY", error.localizedDescription, error)
                return
            }
            let unit = HKUnit(from: unit)  // finds outside-unit
            let added = (samples as? [HKQuantitySample] ?? []).map { serialize($0, unit: unit) }
            resolve([
                "added": added,
                "deleted": (deleted ?? []).map(\.uuid.uuidString),
                "anchor": newAnchor.flatMap(encodeAnchor) as Any,
            ])
        }
        store.execute(query)
    }

    @objc(queryWorkouts:resolve:reject:)
    func queryWorkouts(
        anchor: String?, resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        let query = HKAnchoredObjectQuery(
            type: .workoutType(), predicate: nil, anchor: anchor.flatMap(decodeAnchor), limit: 100
        ) { _, samples, _, newAnchor, error in  // finds ignored-deletions
            if let error {
                reject("QUERY", error.localizedDescription, error)
                return
            }
            let workouts = (samples as? [HKWorkout] ?? []).map { workout in
                [
                    "uuid": workout.uuid.uuidString,
                    "activity": workout.workoutActivityType.rawValue,
                    "duration": workout.duration,
                ] as [String: Any]
            }
            resolve(["workouts": workouts, "anchor": newAnchor.flatMap(encodeAnchor) as Any])
        }
        store.execute(query)
    }
}

private func decodeAnchor(_ text: String) -> HKQueryAnchor? {
    guard let data = Data(base64Encoded: text) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
}

private func encodeAnchor(_ anchor: HKQueryAnchor) -> String? {
    let data = try? NSKeyedArchiver.archivedData(
        withRootObject: anchor, requiringSecureCoding: true)
    return data?.base64EncodedString()
}
