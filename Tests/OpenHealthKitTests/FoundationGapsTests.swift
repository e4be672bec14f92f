import Foundation
import OpenHealthKit
import Testing

/// What HealthKit code takes for granted of Apple's Foundation.
@Suite struct FoundationGapsTests {
    @Test("autoreleasepool runs its body, hands over its result and its error")
    func pools() {
        #expect(autoreleasepool { 3 } == 3)
        #expect(throws: CancellationError.self) {
            try autoreleasepool { throw CancellationError() }
        }
    }

    @Test("dates, UUIDs and objects are format arguments, also of C's formats")
    func varargs() {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let uuid = UUID()
        let arguments: [any CVarArg] = [
            date, uuid, NSNumber(value: 4), NSUUID(uuidString: uuid.uuidString) ?? NSUUID(),
        ]
        #expect(
            String(format: "%@ %@ %@ %@", arguments: arguments)
                == "2001-01-01 00:00:00 +0000 \(uuid.uuidString) 4 \(uuid.uuidString)")
        #expect(String(format: "%@ %.1f %d", "text", 1.25, 3) == "text 1.2 3")
    }
}
