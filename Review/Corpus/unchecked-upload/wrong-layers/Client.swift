// A client without HealthKit in its own file.
import Foundation

protocol Transport {
    func send(_ body: Data, to path: String) async throws
}

struct Client: Transport {
    let base: URL
    let session: URLSession = .shared

    func send(_ body: Data, to path: String) async throws {
        try await perform(make(path, body: body))
    }

    private func make(_ path: String, body: Data) -> URLRequest {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.httpBody = body
        return request
    }

    private func perform(_ request: URLRequest) async throws {
        _ = try await session.data(for: request)  // finds unchecked-upload
    }

    func login(name: String, password: String) async throws {
        var request = URLRequest(url: base.appendingPathComponent("login"))
        request.httpMethod = "POST"
        request.httpBody = Data("\(name):\(password)".utf8)
        _ = try await session.data(for: request)
    }
}
