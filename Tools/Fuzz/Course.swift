import Foundation

/// One way to attack the command.
protocol Fuzzer: AnyObject {
    /// What was done so far, in words: ("files", 20,000).
    var counts: [(String, Int)] { get }

    /// Plays one case; every choice comes from `chance`.
    func play(_ number: Int, _ chance: inout Chance) throws

    /// Ends what still runs and judges what only the end shows.
    func end()
}

/// The cases of one fuzzer, for a time or a number.
struct Course {
    var seed: UInt64
    var from: Int
    var cases: Int?
    var seconds: Double
    var findings: Findings

    func play(_ fuzzer: any Fuzzer) throws -> Int32 {
        let begin = ContinuousClock.now
        var told = 0.0
        var number = from
        Progress.say("\(findings.fuzzer): seed \(seed)")
        while true {
            let elapsed = (ContinuousClock.now - begin) / .seconds(1)
            if let cases {
                if number - from >= cases { break }
            } else if elapsed >= seconds {
                break
            }
            if elapsed - told >= 60 {
                told = elapsed
                Progress.say("\(findings.fuzzer): " + words(fuzzer, number, elapsed))
            }
            findings.number = number
            var chance = Chance(seed: seed, fuzzer: findings.fuzzer, number: number)
            try fuzzer.play(number, &chance)
            number += 1
        }
        fuzzer.end()
        let elapsed = (ContinuousClock.now - begin) / .seconds(1)
        Progress.say("\(findings.fuzzer): seed \(seed), " + words(fuzzer, number, elapsed))
        for (kind, count) in findings.counts.sorted(by: { $0.key < $1.key }) {
            Progress.say("  \(kind): \(count)")
        }
        return findings.counts.isEmpty ? 0 : 1
    }

    private func words(_ fuzzer: any Fuzzer, _ number: Int, _ elapsed: Double) -> String {
        let counts = fuzzer.counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        let found = findings.counts.count
        return "\(number - from) cases, \(counts), \(Int(elapsed)) s, "
            + (found == 0 ? "nothing found" : "FOUND \(found) kinds")
    }
}

/// A mistake of the fuzzer's own surroundings: a template that could not be made.
struct Unprepared: Error, CustomStringConvertible {
    var description: String
}

/// Files in the folder of a fuzzer.
enum Folder {
    /// Removes a file or folder, also one that its mode protects.
    static func remove(_ path: String) {
        if (try? FileManager.default.removeItem(atPath: path)) == nil {
            chmod(path, 0o700)
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Removes a store and all that stands beside it.
    static func removeStore(_ path: String) {
        let folder = (path as NSString).deletingLastPathComponent
        let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(stem + ".") {
            remove("\(folder)/\(name)")
        }
    }

    @discardableResult
    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        FileManager.default.createFile(atPath: path, contents: Data(bytes))
    }

    /// Copies a plain file; others could never end.
    static func copy(_ from: String, to path: String) {
        remove(path)
        if isPlain(from) { try? FileManager.default.copyItem(atPath: from, toPath: path) }
    }

    /// Whether it is a file with an end, not reached through a link.
    static func isPlain(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The bytes of a plain file; none for anything else.
    static func bytes(_ path: String) -> [UInt8] {
        isPlain(path) ? FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? [] : []
    }
}
