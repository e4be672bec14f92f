// A React Native module that hands HealthKit to JavaScript.
import Foundation
import HealthKit
import React

@objc(HealthBridge)
final class HealthBridge: RCTEventEmitter {
    let store = HKHealthStore()
    var observers: [String: HKObserverQuery] = [:]
    private var hasListeners = false

    override static func requiresMainQueueSetup() -> Bool { false }

    override func supportedEvents() -> [String]! {
        ["onChange"]
    }

    override func startObserving() { hasListeners = true }

    override func stopObserving() { hasListeners = false }

    @objc(isAvailable:reject:)
    func isAvailable(
        resolve: @escaping RCTPromiseResolveBlock, reject: @escaping RCTPromiseRejectBlock
    ) {
        resolve(HKHealthStore.isHealthDataAvailable())
    }

    @objc(requestAuthorization:read:resolve:reject:)
    func requestAuthorization(
        share: [String], read: [String], resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        let shareTypes = Set(share.compactMap(sampleType(named:)))
        let readTypes = Set(read.compactMap(objectType(named:)))
        store.requestAuthorization(toShare: shareTypes, read: readTypes) { success, error in
            if let error {
                reject("AUTHORIZATION", error.localizedDescription, error)
            } else {
                resolve(success)
            }
        }
    }

    @objc(authorizationStatus:resolve:reject:)
    func authorizationStatus(
        identifier: String, resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let type = objectType(named: identifier) else {
            reject("TYPE", "unknown type \(identifier)", nil)
            return
        }
        resolve(store.authorizationStatus(for: type).rawValue)
    }

    @objc(subscribe:resolve:reject:)
    func subscribe(
        identifier: String, resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let type = sampleType(named: identifier) else {
            reject("TYPE", "unknown type \(identifier)", nil)
            return
        }
        let token = UUID().uuidString
        let query = HKObserverQuery(sampleType: type, predicate: nil) {
            [weak self] _, completion, error in
            defer { completion() }
            guard let self, self.hasListeners, error == nil else { return }
            self.sendEvent(withName: "onChange", body: ["type": identifier])
        }
        observers[token] = query
        store.execute(query)
        resolve(token)
    }

    @objc(unsubscribe:resolve:reject:)
    func unsubscribe(
        token: String, resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let query = observers.removeValue(forKey: token) else {
            resolve(false)
            return
        }
        store.stop(query)
        resolve(true)
    }

    @objc(enableBackgroundDelivery:frequency:resolve:reject:)
    func enableBackgroundDelivery(
        identifier: String, frequency: Int, resolve: @escaping RCTPromiseResolveBlock,
        reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let type = sampleType(named: identifier),
            let frequency = HKUpdateFrequency(rawValue: frequency)
        else {
            reject("TYPE", "unknown type or frequency", nil)
            return
        }
        store.enableBackgroundDelivery(for: type, frequency: frequency) { success, error in
            if let error {
                reject("DELIVERY", error.localizedDescription, error)
            } else {
                resolve(success)
            }
        }
    }
}
