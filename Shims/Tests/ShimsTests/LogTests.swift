import Foundation
import Synchronization
import Testing

@testable import os

@Suite struct LogTests {
    /// Collects log lines.
    final class CapturedLines: Sendable {
        private let lines = Mutex<[OSLogLine]>([])
        var texts: [String] { lines.withLock { $0.map(\.text) } }
        var types: [OSLogType] { lines.withLock { $0.map(\.type) } }

        func log(
            from threshold: OSLogType = .debug,
            _ privateValues: OSLogDestination.PrivateValues = .masked
        ) -> OSLog {
            let destination = OSLogDestination(threshold: threshold, privateValues: privateValues) {
                line in
                self.lines.withLock { $0.append(line) }
            }
            return OSLog(subsystem: "com.example.test", category: "tests", destination: destination)
        }
    }

    @Test("numbers are public by default; text and errors are private")
    func privacy() {
        let captured = CapturedLines()
        let logger = Logger(captured.log())
        let (count, name) = (3, "Ann")
        logger.info("\(count) of \(name), \(71.5), \(true), \(CancellationError())")
        logger.info("\(count, privacy: .private) of \(name, privacy: .public)")
        #expect(
            captured.texts == [
                "3 of <private>, 71.500000, true, <private>", "<private> of Ann",
            ])
        Logger(captured.log(.shown)).info("\(name, privacy: .sensitive)")
        #expect(captured.texts.last == "Ann")
    }

    @Test("a mask is equal for equal values and hides them")
    func mask() throws {
        let captured = CapturedLines()
        let logger = Logger(captured.log())
        for name in ["Ann", "Ann", "Ben"] { logger.info("\(name, privacy: .private(mask: .hash))") }
        #expect(captured.texts[0] == captured.texts[1])
        #expect(captured.texts[0] != captured.texts[2])
        #expect(!captured.texts[0].contains("Ann"))
    }

    @Test("values are aligned and formatted according to the options")
    func formatting() {
        let captured = CapturedLines()
        let logger = Logger(captured.log())
        logger.log("\(71.25, format: .fixed(precision: 1))|\(255, format: .hex)|")
        logger.log("\(7, format: .decimal(minDigits: 3), align: .right(columns: 5))|")
        logger.log("\("ab", align: .left(columns: 4), privacy: .public)|\(-5)")
        #expect(captured.texts == ["71.2|ff|", "  007|", "ab  |-5"])
    }

    @Test("each method has its level, and a level below the threshold is not written")
    func levels() {
        let captured = CapturedLines()
        let logger = Logger(captured.log(from: .default))
        logger.debug("1")
        logger.trace("2")
        logger.info("3")
        logger.notice("4")
        logger.warning("5")
        logger.error("6")
        logger.critical("7")
        logger.log(level: .fault, "8")
        #expect(captured.texts == ["4", "5", "6", "7", "8"])
        #expect(captured.types == [.default, .error, .error, .fault, .fault])
        #expect(OSLogDestination.threshold(named: "info") == .info)
        #expect(OSLogDestination.threshold(named: "loud") == .default)
        #expect(!OSLog.disabled.isEnabled(type: .fault))
    }

    @Test("the C form supports format specifiers; missing or wrong arguments do not trap")
    func format() {
        let captured = CapturedLines()
        let log = captured.log()
        os_log("%{public}@ has %d, %.1f, %@ (100%%)", log: log, type: .info, "Ann", 3, 2.25, "x")
        os_log(.error, log: log, "%d %{private}d %5d|%x", 1, 2, 3, 255)
        os_log("%d %@", log: log, "three")
        os_log("odd %y and %q and %{public", log: log)
        #expect(
            captured.texts == [
                "Ann has 3, 2.2, <private> (100%)", "1 <private>     3|ff",
                "three <decode: missing data>", "odd %y and %q and %{public",
            ])
        #expect(captured.types == [.info, .error, .default, .default])
    }

    @Test("a line has its date, level, source and text")
    func line() {
        let line = OSLogLine(
            date: Date(timeIntervalSinceReferenceDate: 0.25), type: .error,
            subsystem: "com.example.diary", category: "sync", text: "No route")
        #expect(
            OSLogDestination.format(line)
                == "2001-01-01T00:00:00.250Z error [com.example.diary:sync] No route\n")
    }

    @Test("a body in a signpost interval runs and returns its result")
    func signposts() {
        let signposter = OSSignposter(subsystem: "com.example.diary", category: "sync")
        let state = signposter.beginInterval("save", id: signposter.makeSignpostID())
        #expect(signposter.withIntervalSignpost("read") { 42 } == 42)
        signposter.endInterval("save", state)
        #expect(signposter.makeSignpostID() != signposter.makeSignpostID())
    }
}

@Suite struct LockTests {
    @Test("a lock admits one thread at a time")
    func exclusion() {
        let count = OSAllocatedUnfairLock(initialState: 0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 8000)
    }

    @Test("lockIfAvailable fails for a locked lock and succeeds for an unlocked one")
    func availability() {
        let lock = OSAllocatedUnfairLock()
        lock.lock()
        DispatchQueue.concurrentPerform(iterations: 2) { _ in #expect(!lock.lockIfAvailable()) }
        lock.unlock()
        #expect(lock.lockIfAvailable())
        lock.unlock()
        #expect(lock.withLock { 1 } == 1)
    }

    @Test("an error in the body unlocks the lock")
    func errors() {
        let lock = OSAllocatedUnfairLock(initialState: 1)
        #expect(throws: CancellationError.self) {
            try lock.withLock { _ in throw CancellationError() }
        }
        #expect(lock.withLockIfAvailable { $0 } == 1)
    }

    @Test("os_unfair_lock locks and unlocks")
    func unfairLock() {
        let lock = os_unfair_lock_t.allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock())
        defer { lock.deallocate() }
        os_unfair_lock_lock(lock)
        #expect(!os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
        #expect(os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
    }

    @Test("recursive locking ends the process instead of blocking")
    func recursion() async {
        await #expect(processExitsWith: .failure) {
            let lock = OSAllocatedUnfairLock()
            lock.lock()
            lock.lock()
        }
    }
}
