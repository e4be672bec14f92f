//
//  HealthKitSampleStore.swift
//  Glucose and insulin caches in the manner of closed-loop apps
//

import Foundation
import HealthKit
import os.log

public protocol SampleStoreDelegate: AnyObject {
    func sampleStore(_ store: HealthKitSampleStore, didFailWith error: Error)
}

public class HealthKitSampleStore {

    public let healthStore: HKHealthStore
    public let sampleType: HKSampleType
    public weak var delegate: SampleStoreDelegate?
    public let observationStart: Date

    private let log = OSLog(subsystem: "org.example.loopstore", category: "HealthKitSampleStore")
    private let lock = NSLock()
    private var lockedObserverQuery: HKObserverQuery?

    public init(healthStore: HKHealthStore, type: HKSampleType, observationStart: Date) {
        self.healthStore = healthStore
        self.sampleType = type
        self.observationStart = observationStart
    }

    deinit {
        if let observerQuery = lockedObserverQuery {
            healthStore.stop(observerQuery)
        }
    }

    public var sharingDenied: Bool {
        healthStore.authorizationStatus(for: sampleType) == .sharingDenied
    }

    public func authorize(toShare: Bool, read: Bool, _ completion: @escaping (Result<Bool, Error>) -> Void) {
        healthStore.requestAuthorization(
            toShare: toShare ? [sampleType] : [], read: read ? [sampleType] : []
        ) { success, error in
            if let error = error {
                completion(.failure(error))
                return
            }
            self.createQuery()
            completion(.success(success))
        }
    }

    // MARK: - Observation

    var anchorKey: String { "org.example.loopstore.anchor.\(sampleType.identifier)" }

    var queryAnchor: HKQueryAnchor? {
        get {
            guard let data = UserDefaults.standard.data(forKey: anchorKey) else { return nil }
            return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
        }
        set {
            let data = newValue.flatMap {
                try? NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
            }
            UserDefaults.standard.set(data, forKey: anchorKey)
        }
    }

    public func createQuery() {
        lock.lock()
        defer { lock.unlock() }
        guard lockedObserverQuery == nil else { return }

        let predicate = HKQuery.predicateForSamples(withStart: observationStart, end: nil)
        let observerQuery = HKObserverQuery(sampleType: sampleType, predicate: predicate) {
            [weak self] query, observerQueryCompletionHandler, error in
            guard let self = self else {
                observerQueryCompletionHandler()
                return
            }
            self.observeUpdates(to: query, error: error, completion: observerQueryCompletionHandler)
        }
        healthStore.execute(observerQuery)
        lockedObserverQuery = observerQuery
    }

    func observeUpdates(to query: HKObserverQuery, error: Error?, completion: @escaping () -> Void) {
        if let error = error {
            os_log("%{public}@ failed: %{public}@", log: log, type: .error, "\(query)", "\(error)")
            delegate?.sampleStore(self, didFailWith: error)
            completion()
            return
        }
        executeAnchoredQuery(observerQuery: query, completion: completion)
    }

    func executeAnchoredQuery(observerQuery: HKObserverQuery, completion: @escaping () -> Void) {
        let anchoredQuery = HKAnchoredObjectQuery(
            type: sampleType, predicate: observerQuery.predicate, anchor: queryAnchor, limit: 500
        ) { [weak self] _, added, deleted, anchor, error in
            guard let self = self else { completion(); return }
            if let error = error {
                self.delegate?.sampleStore(self, didFailWith: error)
                completion()
                return
            }
            guard let anchor = anchor else { completion(); return }
            self.processResults(added: added ?? [], deleted: deleted ?? []) { success in
                // Not advanced if the cache wasn't saved.
                if success { self.queryAnchor = anchor }
                completion()
            }
        }
        healthStore.execute(anchoredQuery)
    }

    func processResults(
        added: [HKSample], deleted: [HKDeletedObject], completion: @escaping (Bool) -> Void
    ) {
        completion(true)
    }

    // MARK: - Background

    public func enableBackgroundDelivery(_ completion: @escaping (Error?) -> Void) {
        healthStore.enableBackgroundDelivery(for: sampleType, frequency: .immediate) { _, error in
            completion(error)
        }
    }
}
