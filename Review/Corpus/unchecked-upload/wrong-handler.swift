// Uploads with completion handlers that look at the error only.
import Foundation
import HealthKit

final class SyncService {
    let store: HKHealthStore
    let url: URL
    var sent: Set<UUID> = []

    init(store: HKHealthStore, url: URL) { (self.store, self.url) = (store, url) }

    func send(_ samples: [HKQuantitySample], completion: @escaping (Bool) -> Void) {
        let rows = samples.map { ["value": $0.quantity.doubleValue(for: .count())] }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = try? JSONSerialization.data(withJSONObject: rows)
        URLSession.shared.dataTask(with: request) { _, _, error in  // finds unchecked-upload
            completion(error == nil)
        }.resume()
    }

    func sendNamed(_ samples: [HKQuantitySample]) {
        post(samples.map(\.uuid.uuidString)) { result in
            if case .success = result { self.sent.formUnion(samples.map(\.uuid)) }
        }
    }

    private func post(_ body: [String], _ done: @escaping (Result<Void, Error>) -> Void) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = try? JSONEncoder().encode(body)
        let task = URLSession.shared.dataTask(with: request) { data, response, error in  // finds unchecked-upload
            if let error {
                done(.failure(error))
                return
            }
            print("uploaded", data ?? Data(), response as Any)
            done(.success(()))
        }
        task.resume()
    }

    func sendFile(_ data: Data) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let task = URLSession.shared.uploadTask(with: request, from: data) { _, response, error in  // finds unchecked-upload
            if error == nil { UserDefaults.standard.set(Date(), forKey: "lastUpload") }
        }
        task.resume()
    }
}
