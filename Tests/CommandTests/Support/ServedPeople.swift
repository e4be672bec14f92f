import Foundation
import HealthTesting
import Testing

/// A command that serves people in a folder, with one person and an operator's token.
final class ServedPeople {
    struct NoAddress: Error {
        var errors: String
    }

    let folder: TemporaryFolder
    let command: RunningCommand
    let port: Int
    let person: String
    let reading: String
    let operatorToken: String

    var place: String { folder.path + "/study" }

    /// - Parameter options: Further options of `serve`.
    init(_ options: [String] = []) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let place = folder.path + "/study"
        let created = try Self.people(["create", "Ada"], at: place)
        person = try #require(created["person"] as? String)
        reading = try #require(created["token"] as? String)
        operatorToken = try #require(
            try Self.people(["operator"], at: place)["token"] as? String)
        command = try RunningCommand(
            ["serve", "--people", place, "--port", "0"]
                + options.map { $0.replacing("FOLDER", with: folder.path) },
            store: "")
        for _ in 0..<6000 where !command.output.contains("/\n") {
            Thread.sleep(forTimeInterval: 0.02)
        }
        let line = command.output.split(separator: "\n").first.map(String.init) ?? ""
        guard let port = URLComponents(string: line)?.port else {
            command.kill()
            throw NoAddress(errors: command.errors)
        }
        self.port = port
    }

    deinit { command.kill() }

    /// Runs `people` with these people, and returns its JSON.
    func people(_ arguments: [String]) throws -> [String: Any] {
        try Self.people(arguments, at: place)
    }

    private static func people(
        _ arguments: [String], at place: String
    ) throws -> [String: Any] {
        let run = try CommandRun(["people"] + arguments + ["--people", place, "--json"])
        #expect(run.status == 0, "\(run.errors)")
        return try #require(run.object)
    }

    func send(
        _ method: String, _ path: String, token: String?, body: String = ""
    ) async throws -> RawResponse {
        let client = try RawClient(port: port, timeout: 300)
        await client.send(
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
                + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
                + (body.isEmpty
                    ? ""
                    : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n")
                + "\r\n" + body)
        return RawResponse(await client.receiveAll())
    }
}
