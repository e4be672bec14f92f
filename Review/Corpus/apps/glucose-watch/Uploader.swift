// Sends readings when it can and keeps them until then.
import Foundation

final class UploadQueue {
    private let url: URL
    private let queue = DispatchQueue(label: "org.example.glucose.queue")

    struct Batch: Codable {
        var readings: [Reading]
        var removed: [UUID]
    }

    init(url: URL) {
        self.url = url.appendingPathComponent("pending", isDirectory: true)
        try? FileManager.default.createDirectory(
            at: self.url, withIntermediateDirectories: true)
    }

    func append(_ batch: Batch, completion: @escaping (Bool) -> Void) {
        queue.async {
            do {
                let data = try JSONEncoder().encode(batch)
                let name = "\(Date().timeIntervalSince1970)-\(UUID().uuidString).json"
                try data.write(to: self.url.appendingPathComponent(name), options: .atomic)
                completion(true)
            } catch {
                completion(false)
            }
        }
    }

    func pending() -> [URL] {
        let files = try? FileManager.default.contentsOfDirectory(
            at: url, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}

final class Uploader {
    private let queue: UploadQueue
    private let session = URLSession(configuration: .default)
    private let endpoint = URL(string: "https://glucose.example.org/v1/readings")!

    init(queue: UploadQueue) {
        self.queue = queue
    }

    func enqueue(
        _ readings: [Reading], removing gone: [UUID], stored: @escaping (Bool) -> Void
    ) {
        guard !readings.isEmpty || !gone.isEmpty else {
            stored(true)
            return
        }
        queue.append(.init(readings: readings, removed: gone)) { success in
            stored(success)
            self.flush { _ in }
        }
    }

    func flush(completion: @escaping (Bool) -> Void) {
        guard let file = queue.pending().first else {
            completion(true)
            return
        }
        var request = URLRequest(url: endpoint)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        session.uploadTask(with: request, fromFile: file) { _, response, _ in
            guard (response as? HTTPURLResponse)?.statusCode == 200 else {
                completion(false)
                return
            }
            try? FileManager.default.removeItem(at: file)
            self.flush(completion: completion)
        }.resume()
    }
}
