import Foundation
import HealthEngine

#if canImport(CoreLocation)
    import CoreLocation
#endif

/// Reads what HealthKit returns only through queries of its own: series, routes, heartbeats,
/// voltages.
struct PushDetails: Sendable {
    let store: HKHealthStore

    /// Returns the detail of a sample, and whether it is all that the sample has.
    ///
    /// - Throws: Errors of the queries, except those for parts that HealthKit does not implement
    ///   here, and for a sample that was deleted meanwhile.
    func detail(of sample: HKSample) async throws -> (PushDetail?, isComplete: Bool) {
        do {
            return try await read(sample)
        } catch let error as HKError where error.code == .errorHealthDataUnavailable {
            return (nil, false)
        } catch let error as HKError where error.code == .errorNoData {
            return (nil, true)
        }
    }

    private func read(_ sample: HKSample) async throws -> (PushDetail?, isComplete: Bool) {
        switch sample {
        case let sample as HKQuantitySample:
            return (sample.count > 1 ? try await series(of: sample) : nil, true)
        case is HKCategorySample, is HKCorrelation: return (nil, true)
        case let workout as HKWorkout: return (PushDetail(workout: PushWorkout(workout)), true)
        case let route as HKWorkoutRoute: return (try await points(of: route), true)
        case let series as HKHeartbeatSeriesSample: return (try await beats(of: series), true)
        case let sample as HKElectrocardiogram: return (try await voltages(of: sample), true)
        case let sample as HKAudiogramSample:
            return (PushDetail(audiogram: PushAudiogram(sample)), true)
        case let sample as HKVisionPrescription:
            return (PushDetail(visionPrescription: PushVisionPrescription(sample)), true)
        default:
            #if !os(watchOS)
                if let record = sample as? HKClinicalRecord {
                    let detail = Self.resource(of: record)
                    return (detail, detail != nil)
                }
                if let document = sample as? HKCDADocumentSample {
                    let detail = try await self.document(of: document)
                    return (detail, detail != nil)
                }
            #endif
            let numbers = Self.numbers(of: sample)
            return (numbers.map { PushDetail(numbers: $0) }, numbers != nil)
        }
    }

    // MARK: - Queries

    private func series(of sample: HKQuantitySample) async throws -> PushDetail? {
        let query = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(
                type: sample.quantityType,
                predicate: HKQuery.predicateForObject(with: sample.uuid)),
            options: .orderByQuantitySampleStartDate)
        var units = PushUnits()
        var series: [PushQuantity] = []
        for try await result in query.results(for: store) {
            let identifier = sample.quantityType.identifier
            guard let (value, _) = units.number(result.quantity, of: identifier),
                let start = result.dateInterval.start.instantText,
                let end = result.dateInterval.end.instantText, value.isFinite
            else { continue }
            series.append(PushQuantity(start: start, end: end, value: value))
        }
        return series.isEmpty ? nil : PushDetail(series: series)
    }

    private func points(of route: HKWorkoutRoute) async throws -> PushDetail {
        var points: [PushPoint] = []
        for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
            if let point = PushPoint(location) { points.append(point) }
        }
        return PushDetail(route: points)
    }

    private func beats(of series: HKHeartbeatSeriesSample) async throws -> PushDetail {
        var beats: [PushHeartbeat] = []
        for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: store) {
            beats.append(
                PushHeartbeat(offset: beat.timeIntervalSinceStart, gap: beat.precededByGap))
        }
        return PushDetail(heartbeats: beats)
    }

    private func voltages(of sample: HKElectrocardiogram) async throws -> PushDetail {
        var voltages: [Double] = []
        var times: [Double] = []
        let query = HKElectrocardiogramQueryDescriptor(sample)
        for try await measurement in query.results(for: store) {
            guard let voltage = measurement.quantity(for: .appleWatchSimilarToLeadI) else {
                continue
            }
            voltages.append(voltage.doubleValue(for: .volt()))
            times.append(measurement.timeSinceSampleStart)
        }
        var numbers = [
            "classification": [Double(sample.classification.rawValue)],
            "symptomsStatus": [Double(sample.symptomsStatus.rawValue)],
            "voltages": voltages, "times": times,
        ]
        if let frequency = sample.samplingFrequency {
            numbers["samplingFrequency"] = [frequency.doubleValue(for: .hertz())]
        }
        if let rate = sample.averageHeartRate {
            let unit = HKUnit.count().unitDivided(by: .minute())
            numbers["averageHeartRate"] = [rate.doubleValue(for: unit)]
        }
        return PushDetail(numbers: numbers)
    }

    // MARK: - Properties

    /// Returns the numbers of a state of mind or a questionnaire; nil for other samples.
    private static func numbers(of sample: HKSample) -> [String: [Double]]? {
        guard #available(iOS 18, watchOS 11, visionOS 2, macOS 15, *) else { return nil }
        switch sample {
        case let mind as HKStateOfMind:
            return Dictionary([
                .kind: [Double(mind.kind.rawValue)], .valence: [mind.valence],
                .labels: mind.labels.map { Double($0.rawValue) },
                .associations: mind.associations.map { Double($0.rawValue) },
            ])
        case let assessment as HKGAD7Assessment:
            return Dictionary([.answers: assessment.answers.map { Double($0.rawValue) }])
        case let assessment as HKPHQ9Assessment:
            return Dictionary([.answers: assessment.answers.map { Double($0.rawValue) }])
        default: return nil
        }
    }
}

extension PushPoint {
    /// Creates a point; nil if its time can't be expressed.
    init?(_ location: CLLocation) {
        guard let time = location.timestamp.instantText else { return nil }
        self.init(
            time: time, latitude: location.coordinate.latitude,
            longitude: location.coordinate.longitude, altitude: location.altitude,
            horizontalAccuracy: location.horizontalAccuracy,
            verticalAccuracy: location.verticalAccuracy, course: location.course,
            speed: location.speed, courseAccuracy: location.courseAccuracy,
            speedAccuracy: location.speedAccuracy)
    }
}
