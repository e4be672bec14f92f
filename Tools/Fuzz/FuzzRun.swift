import Foundation

/// A generator of hostile inputs of one kind, which runs the command on them.
protocol Fuzzer: AnyObject {
    /// Statistics of the run so far, such as `("files", 20_000)`.
    var counts: [(String, Int)] { get }

    /// Runs one case. Every choice comes from `random`.
    func runCase(_ number: Int, _ random: inout SeededRandom) throws

    /// Stops what is still running and performs the final checks.
    func end()
}

/// A run of one fuzzer, for a number of cases if it is given, otherwise for a time.
struct FuzzRun {
    var seed: UInt64
    var from: Int
    var cases: Int?
    var seconds: Double
    var findings: Findings

    func run(_ fuzzer: any Fuzzer) throws -> Int32 {
        let begin = ContinuousClock.now
        var lastReport = 0.0
        var number = from
        Progress.print("\(findings.fuzzer): seed \(seed)")
        while true {
            let elapsed = (ContinuousClock.now - begin) / .seconds(1)
            if let cases {
                if number - from >= cases { break }
            } else if elapsed >= seconds {
                break
            }
            if elapsed - lastReport >= 60 {
                lastReport = elapsed
                Progress.print("\(findings.fuzzer): " + words(fuzzer, number, elapsed))
            }
            findings.number = number
            var random = SeededRandom(seed: seed, fuzzer: findings.fuzzer, number: number)
            try fuzzer.runCase(number, &random)
            number += 1
        }
        fuzzer.end()
        let elapsed = (ContinuousClock.now - begin) / .seconds(1)
        Progress.print("\(findings.fuzzer): seed \(seed), " + words(fuzzer, number, elapsed))
        for (kind, count) in findings.counts.sorted(by: { $0.key < $1.key }) {
            Progress.print("  \(kind): \(count)")
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

/// An error in the fuzzer's setup, such as a template that could not be created.
struct SetupError: Error, CustomStringConvertible {
    var description: String
}

/// Operations on files in a fuzzer's folder. Errors are ignored.
enum Folder {
    /// Removes a file or folder, even if its mode is read-only.
    static func remove(_ path: String) {
        if (try? FileManager.default.removeItem(atPath: path)) == nil {
            chmod(path, 0o700)
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Removes a store and all files beside it whose names begin with that of the store.
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

    /// Replaces a file by a copy of another one. A file that isn't regular isn't copied, because it
    /// may be endless.
    static func copy(_ from: String, to path: String) {
        remove(path)
        if isPlain(from) { try? FileManager.default.copyItem(atPath: from, toPath: path) }
    }

    /// Returns whether a path is a regular file and not a link.
    static func isPlain(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the bytes of a regular file; none for anything else.
    static func bytes(_ path: String) -> [UInt8] {
        isPlain(path) ? FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? [] : []
    }
}
