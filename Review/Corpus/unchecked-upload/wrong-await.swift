// Uploads with async functions, whose status is dropped.
import Foundation
import HealthKit

struct Reading: Codable {
    let value: Double
    let date: Date

    init(_ sample: HKQuantitySample) {
        value = sample.quantity.doubleValue(for: .count())
        date = sample.startDate
    }
}

struct Uploader {
    let base: URL
    let session: URLSession

    func upload(_ readings: [Reading]) async throws {
        var request = URLRequest(url: base.appendingPathComponent("readings"))
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(readings)
        _ = try await session.data(for: request)  // finds unchecked-upload
    }

    func uploadBody(_ readings: [Reading]) async throws {
        let body = try JSONEncoder().encode(readings)
        var request = URLRequest(url: base)
        request.httpMethod = "PUT"
        let (_, _) = try await URLSession.shared.upload(for: request, from: body)  // finds unchecked-upload
    }

    func uploadLogged(_ readings: [Reading]) async throws {
        let (data, _) = try await URLSession.shared.data(for: request(readings))  // finds unchecked-upload
        print("answer", String(decoding: data, as: UTF8.self))
    }

    func uploadNamed(_ readings: [Reading]) async {
        do {
            let (data, response) = try await session.data(for: request(readings))  // finds unchecked-upload
            print(data, response)
        } catch {
            print("failed", error)
        }
    }

    private func request(_ readings: [Reading]) throws -> URLRequest {
        var request = URLRequest(url: base)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(readings)
        return request
    }

    func uploadLater(_ file: URL, _ request: URLRequest) {
        Task {
            try await session.upload(for: request, fromFile: file)  // finds unchecked-upload
        }
    }
}
