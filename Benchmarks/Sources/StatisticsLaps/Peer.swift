import Foundation
import HealthStorage

/// Another program with the same rows in memory: answers each line with the seconds its query took.
final class Peer {
    /// What its rows add up to on the day they start on.
    struct Day: Decodable {
        var count: Int
        var sum: Double
        var least: Double
        var most: Double
    }

    private(set) var days: [Day] = []
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = ""

    init(_ words: [String], store: String) throws {
        process.executableURL = URL(filePath: words[0])
        process.arguments = words.dropFirst() + [store, History.zone.identifier]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = try nextLine()
        days = try JSONDecoder().decode([Day].self, from: Data(line.utf8))
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func seconds() throws -> Double {
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        guard let seconds = Double(try nextLine()) else { throw LapError("the peer gives no time") }
        return seconds
    }

    private func nextLine() throws -> String {
        while !unread.contains("\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw LapError("the peer ended") }
            unread += String(decoding: more, as: UTF8.self)
        }
        let line = String(unread.prefix { $0 != "\n" })
        unread.removeFirst(line.count + 1)
        return line
    }
}
