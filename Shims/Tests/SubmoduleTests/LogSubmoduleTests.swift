import Testing
import os.log

@Suite struct LogSubmoduleTests {
    @Test("importing os.log provides Logger and os_log")
    func log() {
        let logger = Logger(subsystem: "com.example.diary", category: "tests")
        logger.debug("not shown: \(1)")
        os_log("not shown", log: OSLog.disabled, type: .debug)
        #expect(OSLogType.error.rawValue == 16)
    }
}
