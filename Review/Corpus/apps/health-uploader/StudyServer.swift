// The study's server and what is sent to it.
import Foundation
import HealthKit

struct Payload: Codable, Sendable {
    let uuid: UUID
    let type: String
    let start: Date
    let end: Date
    let value: Double?
    let unit: String?
    let bundle: String

    init(_ sample: HKSample) {
        uuid = sample.uuid
        type = sample.sampleType.identifier
        start = sample.startDate
        end = sample.endDate
        bundle = sample.sourceRevision.source.bundleIdentifier
        switch sample {
        case let quantity as HKQuantitySample:
            let chosen = Self.unit(of: quantity.quantityType)
            unit = chosen?.unitString
            value = chosen.map { quantity.quantity.doubleValue(for: $0) }
        case let category as HKCategorySample:
            unit = nil
            value = Double(category.value)
        default:
            unit = nil
            value = nil
        }
    }

    static func unit(of type: HKQuantityType) -> HKUnit? {
        switch type {
        case HKQuantityType(.stepCount): .count()
        case HKQuantityType(.heartRate): .count().unitDivided(by: .minute())
        case HKQuantityType(.heartRateVariabilitySDNN): .secondUnit(with: .milli)
        case HKQuantityType(.oxygenSaturation): .percent()
        default: nil
        }
    }
}

struct StudyServer: Sendable {
    let url: URL

    struct Refused: Error {
        let status: Int
    }

    private struct Body: Codable {
        let samples: [Payload]
        let deleted: [UUID]
    }

    func send(_ samples: [Payload], deleted: [UUID]) async throws {
        guard !samples.isEmpty || !deleted.isEmpty else { return }
        var request = URLRequest(url: url.appending(path: "samples"))
        request.httpMethod = "PUT"
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        request.httpBody = try encoder.encode(Body(samples: samples, deleted: deleted))
        let (_, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Refused(status: status) }
    }
}
