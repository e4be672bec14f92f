// Uploads whose status somebody looks at, and requests that send nothing.
import Foundation
import HealthKit

struct Uploader {
    let base: URL
    let session: URLSession

    func post(_ samples: [HKQuantitySample]) -> URLRequest {
        var request = URLRequest(url: base)
        request.httpMethod = "POST"
        request.httpBody = try? JSONEncoder().encode(samples.map(\.uuid))
        return request
    }

    func checked(_ samples: [HKQuantitySample]) async throws {
        let (_, response) = try await session.data(for: post(samples))
        guard let http = response as? HTTPURLResponse, (200..<300).contains(http.statusCode) else {
            throw URLError(.badServerResponse)
        }
    }

    func handedOn(_ samples: [HKQuantitySample]) async throws -> (Data, URLResponse) {
        try await session.data(for: post(samples))
    }

    func byFunction(_ samples: [HKQuantitySample]) async throws {
        let (_, response) = try await session.data(for: post(samples))
        try check(response)
    }

    func byWrapper(_ samples: [HKQuantitySample]) async throws {
        try validate(try await session.data(for: post(samples)))
    }

    func byPair(_ samples: [HKQuantitySample]) async throws -> Data {
        let answer = try await session.data(for: post(samples))
        try check(answer.1)
        return answer.0
    }

    /// The server's answer says whether it took the data; an error page doesn't decode.
    func byAnswer(_ samples: [HKQuantitySample]) async throws -> Receipt {
        let (data, _) = try await session.data(for: post(samples))
        return try JSONDecoder().decode(Receipt.self, from: data)
    }

    func fetch() async throws {
        let (data, _) = try await session.data(for: URLRequest(url: base))
        print(data.count)
        _ = try await session.data(from: base)
    }

    func ping() { session.dataTask(with: base) { _, _, error in print(error as Any) }.resume() }

    func handler(_ samples: [HKQuantitySample], _ done: @escaping (Int?) -> Void) {
        session.dataTask(with: post(samples)) { _, response, _ in
            done((response as? HTTPURLResponse)?.statusCode)
        }.resume()
    }

    func handler(_ samples: [HKQuantitySample], handOn: @escaping (URLResponse?, Error?) -> Void) {
        session.dataTask(with: post(samples)) { _, response, error in
            handOn(response, error)
        }.resume()
    }

    func inBackground(_ file: URL, _ request: URLRequest) {
        session.uploadTask(with: request, fromFile: file).resume()
    }

    private func check(_ response: URLResponse) throws {
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
    }

    private func validate(_ answer: (Data, URLResponse)) throws { try check(answer.1) }
}

struct Receipt: Decodable {
    let accepted: Int
}
