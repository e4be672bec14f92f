//
//  RNHealth.swift
//  React Native bridge to HealthKit
//

import Foundation
import HealthKit

let INIT_ERROR = "HEALTHKIT_INIT"
let TYPE_ERROR = "HEALTHKIT_TYPE"
let QUERY_ERROR = "HEALTHKIT_QUERY"

@objc(RNHealth)
class RNHealth: RCTEventEmitter {

    var _store: HKHealthStore?
    var _runningQueries = [String: HKQuery]()
    var _dateFormatter: ISO8601DateFormatter
    var _hasListeners = false

    override init() {
        self._dateFormatter = ISO8601DateFormatter()
        if HKHealthStore.isHealthDataAvailable() {
            self._store = HKHealthStore()
        }
        super.init()
    }

    deinit {
        if let store = _store {
            for query in self._runningQueries {
                store.stop(query.value)
            }
        }
    }

    override class func requiresMainQueueSetup() -> Bool { return true }
    override func supportedEvents() -> [String]! { return ["onChange"] }
    override func startObserving() { self._hasListeners = true }
    override func stopObserving() {
        self._hasListeners = false
        if let store = _store {
            for query in self._runningQueries { store.stop(query.value) }
        }
    }

    @objc(isHealthDataAvailable:withRejecter:)
    func isHealthDataAvailable(resolve: RCTPromiseResolveBlock, reject: RCTPromiseRejectBlock) {
        resolve(HKHealthStore.isHealthDataAvailable())
    }

    @objc(requestAuthorization:read:resolve:withRejecter:)
    func requestAuthorization(toShare: NSDictionary, read: NSDictionary,
                              resolve: @escaping RCTPromiseResolveBlock,
                              reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store else {
            return reject(INIT_ERROR, "HealthKit isn't available", nil)
        }
        let share = sampleTypesFromDictionary(toShare)
        let toRead = objectTypesFromDictionary(read)

        store.requestAuthorization(toShare: share, read: toRead) { (success: Bool, error: Error?) in
            guard let err = error else {
                return resolve(success)
            }
            reject(INIT_ERROR, err.localizedDescription, err)
        }
    }

    @objc(authorizationStatusFor:resolve:withRejecter:)
    func authorizationStatusFor(typeIdentifier: String, resolve: @escaping RCTPromiseResolveBlock,
                                reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store else {
            return reject(INIT_ERROR, "HealthKit isn't available", nil)
        }
        guard let objectType = objectTypeFromString(typeIdentifier) else {
            return reject(TYPE_ERROR, "Failed to initialize " + typeIdentifier, nil)
        }
        resolve(store.authorizationStatus(for: objectType).rawValue)
    }

    @objc(saveQuantitySample:unitString:value:start:end:metadata:resolve:reject:)
    func saveQuantitySample(typeIdentifier: String, unitString: String, value: Double, start: Date, end: Date,
                            metadata: NSDictionary, resolve: @escaping RCTPromiseResolveBlock,
                            reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store else {
            return reject(INIT_ERROR, "HealthKit isn't available", nil)
        }
        let identifier = HKQuantityTypeIdentifier(rawValue: typeIdentifier)
        guard let type = HKObjectType.quantityType(forIdentifier: identifier) else {
            return reject(TYPE_ERROR, "Failed to initialize " + typeIdentifier, nil)
        }
        let unit = HKUnit(from: unitString)  // finds outside-unit
        let quantity = HKQuantity(unit: unit, doubleValue: value)
        let sample = HKQuantitySample(type: type, quantity: quantity, start: start, end: end,
                                      metadata: metadata as? [String: Any])
        store.save(sample) { (success: Bool, error: Error?) in
            guard let err = error else { return resolve(success) }
            reject(QUERY_ERROR, err.localizedDescription, err)
        }
    }

    @objc(deleteQuantitySample:uuid:resolve:reject:)
    func deleteQuantitySample(typeIdentifier: String, uuid: String, resolve: @escaping RCTPromiseResolveBlock,
                              reject: @escaping RCTPromiseRejectBlock) {
        guard let store = _store else {
            return reject(INIT_ERROR, "HealthKit isn't available", nil)
        }
        guard let sampleUUID = UUID(uuidString: uuid),
            let type = HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: typeIdentifier))
        else {
            return reject(TYPE_ERROR, "Failed to initialize " + typeIdentifier, nil)
        }
        let predicate = HKQuery.predicateForObject(with: sampleUUID)
        store.deleteObjects(of: type, predicate: predicate) { (success, _, error) in
            guard let err = error else { return resolve(success) }
            reject(QUERY_ERROR, err.localizedDescription, err)
        }
    }
}
