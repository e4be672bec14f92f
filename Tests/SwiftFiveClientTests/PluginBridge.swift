import Foundation
import HealthKit

enum HealthMetric: String, CaseIterable {
    case steps, distance, calories, heartRate, weight, sleep, respiratoryRate, oxygenSaturation,
        restingHeartRate, heartRateVariability, bloodPressure, bloodGlucose, bodyTemperature,
        height, flightsClimbed, exerciseTime, mindfulness, basalCalories, bodyFat, vo2Max

    func sampleType() throws -> HKSampleType {
        switch self {
        case .sleep:
            guard let t = HKObjectType.categoryType(forIdentifier: .sleepAnalysis) else {
                throw BridgeError.dataTypeUnavailable(rawValue)
            }
            return t
        case .mindfulness:
            guard let t = HKObjectType.categoryType(forIdentifier: .mindfulSession) else {
                throw BridgeError.dataTypeUnavailable(rawValue)
            }
            return t
        case .bloodPressure:
            guard let t = HKObjectType.correlationType(forIdentifier: .bloodPressure) else {
                throw BridgeError.dataTypeUnavailable(rawValue)
            }
            return t
        default:
            guard let quantityIdentifier,
                let t = HKObjectType.quantityType(forIdentifier: quantityIdentifier)
            else { throw BridgeError.dataTypeUnavailable(rawValue) }
            return t
        }
    }
    var quantityIdentifier: HKQuantityTypeIdentifier? {
        switch self {
        case .steps: return .stepCount
        case .distance: return .distanceWalkingRunning
        case .calories: return .activeEnergyBurned
        case .heartRate: return .heartRate
        case .weight: return .bodyMass
        case .respiratoryRate: return .respiratoryRate
        case .oxygenSaturation: return .oxygenSaturation
        case .restingHeartRate: return .restingHeartRate
        case .heartRateVariability: return .heartRateVariabilitySDNN
        case .bloodGlucose: return .bloodGlucose
        case .bodyTemperature: return .bodyTemperature
        case .height: return .height
        case .flightsClimbed: return .flightsClimbed
        case .exerciseTime: return .appleExerciseTime
        case .basalCalories: return .basalEnergyBurned
        case .bodyFat: return .bodyFatPercentage
        case .vo2Max: return .vo2Max
        case .sleep, .mindfulness, .bloodPressure: return nil
        }
    }
    var defaultUnit: HKUnit {
        switch self {
        case .steps, .flightsClimbed: return .count()
        case .distance: return .meter()
        case .calories, .basalCalories: return .kilocalorie()
        case .heartRate, .restingHeartRate, .respiratoryRate:
            return HKUnit.count().unitDivided(by: HKUnit.minute())
        case .weight: return .gramUnit(with: .kilo)
        case .oxygenSaturation, .bodyFat: return .percent()
        case .heartRateVariability: return HKUnit.secondUnit(with: .milli)
        case .bloodPressure: return .millimeterOfMercury()
        case .bloodGlucose:
            return HKUnit.gramUnit(with: .milli).unitDivided(by: HKUnit.literUnit(with: .deci))
        case .bodyTemperature: return .degreeCelsius()
        case .height: return .meterUnit(with: .centi)
        case .exerciseTime, .sleep, .mindfulness: return .minute()
        case .vo2Max:
            return HKUnit.literUnit(with: .milli).unitDivided(
                by: HKUnit.gramUnit(with: .kilo).unitMultiplied(by: .minute()))
        }
    }
}

enum BridgeError: LocalizedError {
    case dataTypeUnavailable(String), invalidDate(String), operationFailed(String)
    var errorDescription: String? {
        switch self {
        case let .dataTypeUnavailable(s): return "Unsupported: \(s)"
        case .invalidDate(let s): return "Invalid ISO 8601 date \(s)"
        case .operationFailed(let s): return s
        }
    }
}

/// A bridge for a cross-platform framework: names as input, dictionaries as output.
final class HealthBridge {
    let healthStore: HKHealthStore
    let isoFormatter: ISO8601DateFormatter = {
        let f = ISO8601DateFormatter()
        f.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return f
    }()
    init(store: HKHealthStore) { healthStore = store }

    func availabilityPayload() -> [String: Any] {
        HKHealthStore.isHealthDataAvailable()
            ? ["available": true, "platform": "ios"]
            : ["available": false, "reason": "Health data is not available on this device."]
    }

    func requestAuthorization(
        read: [String], write: [String],
        completion: @escaping (Result<[String: Any], Error>) -> Void
    ) {
        do {
            let readTypes = try Set(
                read.compactMap(HealthMetric.init(rawValue:)).flatMap { try objectTypes(for: $0) })
            let writeTypes = try Set(
                write.compactMap(HealthMetric.init(rawValue:)).flatMap { try objectTypes(for: $0) })
            healthStore.requestAuthorization(
                toShare: writeTypes, read: Set<HKObjectType>(readTypes)
            ) { [weak self] success, error in
                guard let self = self else { return }
                if let error = error { completion(.failure(error)); return }
                guard success else {
                    completion(
                        .failure(
                            BridgeError.operationFailed("Authorization request did not complete")));
                    return
                }
                self.evaluate(read: read, write: write) { completion(.success($0)) }
            }
        } catch { completion(.failure(error)) }
    }

    private func objectTypes(for metric: HealthMetric) throws -> [HKSampleType] {
        if metric == .bloodPressure {
            return [
                HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
            ]
        }
        return [try metric.sampleType()]
    }

    private func evaluate(
        read: [String], write: [String], completion: @escaping ([String: Any]) -> Void
    ) {
        let group = DispatchGroup()
        let lock = NSLock()
        var readAuthorized: [String] = [], readDenied: [String] = []
        for raw in read {
            guard let metric = HealthMetric(rawValue: raw),
                let types = try? objectTypes(for: metric)
            else { continue }
            group.enter()
            healthStore.getRequestStatusForAuthorization(
                toShare: Set<HKSampleType>(), read: Set(types)
            ) { status, error in
                defer { group.leave() }
                if error != nil { lock.lock(); readDenied.append(raw); lock.unlock(); return }
                switch status {
                case .unnecessary: lock.lock(); readAuthorized.append(raw); lock.unlock()
                case .shouldRequest, .unknown: lock.lock(); readDenied.append(raw); lock.unlock()
                @unknown default: lock.lock(); readDenied.append(raw); lock.unlock()
                }
            }
        }
        let writeAuthorized = write.filter { raw in
            guard let metric = HealthMetric(rawValue: raw),
                let types = try? objectTypes(for: metric)
            else {
                return false
            }
            return types.allSatisfy {
                healthStore.authorizationStatus(for: $0) == .sharingAuthorized
            }
        }
        group.notify(queue: .global(qos: .userInitiated)) {
            completion([
                "readAuthorized": readAuthorized.sorted(), "readDenied": readDenied.sorted(),
                "writeAuthorized": writeAuthorized,
                "writeDenied": write.filter { !writeAuthorized.contains($0) },
            ])
        }
    }

    private func parseDate(_ string: String?, defaultValue: Date) throws -> Date {
        guard let value = string else { return defaultValue }
        if let date = isoFormatter.date(from: value) { return date }
        let plain = ISO8601DateFormatter()
        if let date = plain.date(from: value) { return date }
        throw BridgeError.invalidDate(value)
    }

    func readSamples(
        identifier: String, start: String?, end: String?, limit: Int?, ascending: Bool,
        completion: @escaping (Result<[[String: Any]], Error>) -> Void
    ) throws {
        guard let metric = HealthMetric(rawValue: identifier) else {
            throw BridgeError.dataTypeUnavailable(identifier)
        }
        let sampleType = try metric.sampleType()
        let startDate = try parseDate(start, defaultValue: Date().addingTimeInterval(-86400))
        let endDate = try parseDate(end, defaultValue: Date())
        let predicate = HKQuery.predicateForSamples(
            withStart: startDate, end: endDate, options: .strictStartDate)
        let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: ascending)
        let query = HKSampleQuery(
            sampleType: sampleType, predicate: predicate, limit: limit ?? HKObjectQueryNoLimit,
            sortDescriptors: [sort]
        ) { [weak self] _, samples, error in
            guard let self = self else { return }
            if let error = error { completion(.failure(error)); return }
            guard let samples = samples else { completion(.success([])); return }
            completion(.success(samples.compactMap { self.payload($0, metric: metric) }))
        }
        healthStore.execute(query)
    }

    private func payload(_ sample: HKSample, metric: HealthMetric) -> [String: Any]? {
        var payload: [String: Any] = [
            "dataType": metric.rawValue, "startDate": isoFormatter.string(from: sample.startDate),
            "endDate": isoFormatter.string(from: sample.endDate),
            "sourceName": sample.sourceRevision.source.name,
            "sourceId": sample.sourceRevision.source.bundleIdentifier,
            "platformId": sample.uuid.uuidString,
        ]
        if let version = sample.sourceRevision.version { payload["sourceVersion"] = version }
        if let product = sample.sourceRevision.productType { payload["productType"] = product }
        let os = sample.sourceRevision.operatingSystemVersion
        payload["systemVersion"] = "\(os.majorVersion).\(os.minorVersion).\(os.patchVersion)"
        if let device = sample.device {
            payload["device"] = [
                "name": device.name, "model": device.model, "manufacturer": device.manufacturer,
                "hardwareVersion": device.hardwareVersion,
                "softwareVersion": device.softwareVersion,
            ].compactMapValues { $0 }
        }
        switch sample {
        case let s as HKQuantitySample:
            payload["value"] = s.quantity.doubleValue(for: metric.defaultUnit);
            payload["unit"] = metric.defaultUnit.unitString
        case let s as HKCategorySample where metric == .sleep:
            payload["sleepState"] = sleepState(s.value);
            payload["value"] = s.endDate.timeIntervalSince(s.startDate) / 60
        case let s as HKCategorySample:
            payload["value"] = s.endDate.timeIntervalSince(s.startDate) / 60
        case let c as HKCorrelation:
            guard
                let systolic = c.objects(for: HKQuantityType(.bloodPressureSystolic)).first
                    as? HKQuantitySample,
                let diastolic = c.objects(for: HKQuantityType(.bloodPressureDiastolic)).first
                    as? HKQuantitySample
            else { return nil }
            payload["systolic"] = systolic.quantity.doubleValue(for: .millimeterOfMercury());
            payload["diastolic"] = diastolic.quantity.doubleValue(for: .millimeterOfMercury())
        default: return nil
        }
        return payload
    }

    private func sleepState(_ value: Int) -> String? {
        guard let v = HKCategoryValueSleepAnalysis(rawValue: value) else { return nil }
        switch v {
        case .inBed: return "inBed"
        case .asleepUnspecified: return "asleep"
        case .awake: return "awake"
        case .asleepCore: return "light"
        case .asleepDeep: return "deep"
        case .asleepREM: return "rem"
        @unknown default: return "asleep"
        }
    }

    func saveSample(
        _ raw: String, value: Double, unit unitString: String?, start: String?, end: String?,
        metadata: [String: String]?, systolic: Double? = nil, diastolic: Double? = nil,
        completion: @escaping (Result<Void, Error>) -> Void
    ) throws {
        guard let metric = HealthMetric(rawValue: raw) else {
            throw BridgeError.dataTypeUnavailable(raw)
        }
        let startDate = try parseDate(start, defaultValue: Date())
        let endDate = try parseDate(end, defaultValue: startDate)
        var md: [String: Any]? = nil
        if let metadata = metadata, !metadata.isEmpty {
            md = metadata.reduce(into: [String: Any]()) { $0[$1.key] = $1.value }
        }
        let sample: HKSample
        switch metric {
        case .sleep, .mindfulness:
            let value =
                metric == .sleep
                ? HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue
                : HKCategoryValue.notApplicable.rawValue
            sample = HKCategorySample(
                type: HKCategoryType(metric == .sleep ? .sleepAnalysis : .mindfulSession),
                value: value, start: startDate,
                end: endDate, metadata: md)
        case .bloodPressure:
            guard let systolic = systolic, let diastolic = diastolic else {
                throw BridgeError.operationFailed("values")
            }
            let s = HKQuantitySample(
                type: HKQuantityType(.bloodPressureSystolic),
                quantity: .init(unit: .millimeterOfMercury(), doubleValue: systolic),
                start: startDate, end: endDate)
            let d = HKQuantitySample(
                type: HKQuantityType(.bloodPressureDiastolic),
                quantity: .init(unit: .millimeterOfMercury(), doubleValue: diastolic),
                start: startDate, end: endDate)
            sample = HKCorrelation(
                type: HKCorrelationType(.bloodPressure), start: startDate, end: endDate,
                objects: [s, d], device: .local(), metadata: md)
        default:
            guard let type = try metric.sampleType() as? HKQuantityType else {
                throw BridgeError.dataTypeUnavailable(raw)
            }
            let unit = unitString.map { HKUnit(from: $0) } ?? metric.defaultUnit
            sample = HKQuantitySample(
                type: type,
                quantity: HKQuantity(unit: unit, doubleValue: value), start: startDate,
                end: endDate, device: HKDevice.local(), metadata: md)
        }
        healthStore.save(sample) { success, error in
            if let error {
                completion(.failure(error))
            } else if success {
                completion(.success(()))
            } else {
                completion(.failure(BridgeError.operationFailed("Failed")))
            }
        }
    }
}
