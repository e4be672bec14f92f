//
//  HealthKitReporter.swift
//  A Codable wrapper around HealthKit, 2020
//

import Foundation
import HealthKit

public typealias StatusCompletionBlock = (Bool, Error?) -> Void
public typealias ObserverUpdateHandler = (HKObserverQuery, String?, Error?) -> Void

public enum HealthKitError: Error {
    case notAvailable(String = "HealthKit is not available")
    case unknown(String = "Unknown")
    case invalidType(String = "Invalid type")
    case invalidIdentifier(String = "Invalid identifier")
    case badEncoding(String = "Bad encoding")
}

public class HealthKitReporter {

    public let reader: HealthKitReader
    public let writer: HealthKitWriter
    public let manager: HealthKitAccess
    public let observer: HealthKitObserver

    public static var isHealthDataAvailable: Bool {
        return HKHealthStore.isHealthDataAvailable()
    }

    public init() {
        let healthStore = HKHealthStore()
        self.reader = HealthKitReader(healthStore: healthStore)
        self.writer = HealthKitWriter(healthStore: healthStore)
        self.manager = HealthKitAccess(healthStore: healthStore)
        self.observer = HealthKitObserver(healthStore: healthStore)
    }
}

public class HealthKitAccess {

    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    public func requestAuthorization(
        toRead: [HKObjectType], toWrite: [HKSampleType], completion: @escaping StatusCompletionBlock
    ) {
        healthStore.requestAuthorization(toShare: Set(toWrite), read: Set(toRead), completion: completion)
    }

    /// Only what may be written can be asked.
    public func writeStatus(of type: HKSampleType) -> HKAuthorizationStatus {
        return healthStore.authorizationStatus(for: type)
    }

    public func preferredUnits(
        for types: Set<HKQuantityType>, completion: @escaping ([String: String], Error?) -> Void
    ) {
        healthStore.preferredUnits(for: types) { result, error in
            var units: [String: String] = [:]
            for (type, unit) in result { units[type.identifier] = unit.unitString }
            completion(units, error)
        }
    }
}

extension Optional where Wrapped == HKQuantity {
    func value(in unit: HKUnit) -> Double? {
        guard let quantity = self, quantity.is(compatibleWith: unit) else { return nil }
        return quantity.doubleValue(for: unit)
    }
}
