// Requests of the same app that hold no health data.
import Foundation

struct Question: Encodable {
    let text: String
}

struct Coach {
    let url: URL

    func ask(_ question: Question) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(question)
        _ = try await URLSession.shared.data(for: request)
    }

    func askFromScreen(_ text: String) async {
        try? await ask(Question(text: text))
    }
}
