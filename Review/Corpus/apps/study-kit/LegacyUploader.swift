import Foundation
import HealthKit

/// The first version, kept for studies that began with it: uploads by date.
public class LegacyUploader {

    static let types: [HKSampleType] = [
        HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis),
    ]

    private let store: HKHealthStore
    private let session: URLSession
    private let endpoint: URL

    public init(store: HKHealthStore, session: URLSession, endpoint: URL) {
        self.store = store
        self.session = session
        self.endpoint = endpoint
    }

    private func lastUpload(of type: HKSampleType) -> Date {
        UserDefaults.standard.object(forKey: "lastUpload-" + type.identifier) as? Date
            ?? Calendar.current.date(byAdding: .day, value: -7, to: Date()) ?? Date()
    }

    public func uploadAll(completion: @escaping () -> Void) {
        let group = DispatchGroup()
        for type in Self.types {
            group.enter()
            upload(type) { group.leave() }
        }
        group.notify(queue: .main, execute: completion)
    }

    private func upload(_ type: HKSampleType, completion: @escaping () -> Void) {
        let now = Date()
        let predicate = HKQuery.predicateForSamples(
            withStart: lastUpload(of: type), // finds timestamp-anchor
            end: now, options: [])
        let query = HKSampleQuery(
            sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, error in
            guard let samples = samples, !samples.isEmpty else {
                completion()
                return
            }
            self.send(samples) { sent in
                if sent {
                    UserDefaults.standard.set(now, forKey: "lastUpload-" + type.identifier)
                }
                completion()
            }
        }
        store.execute(query)
    }

    private func send(_ samples: [HKSample], completion: @escaping (Bool) -> Void) {
        var request = URLRequest(url: endpoint)
        request.httpMethod = "POST"
        let rows = samples.map { sample -> [String: Any] in
            ["id": sample.uuid.uuidString, "type": sample.sampleType.identifier,
             "start": sample.startDate.timeIntervalSince1970, "end": sample.endDate.timeIntervalSince1970]
        }
        request.httpBody = try? JSONSerialization.data(withJSONObject: rows)
        session.dataTask(with: request) { _, response, error in
            completion(error == nil && (response as? HTTPURLResponse)?.statusCode == 200)
        }.resume()
    }
}
