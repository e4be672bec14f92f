import Foundation
import FoundationGaps
import Testing

/// Parts of Apple's Foundation that HealthKit code relies on.
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

    private static let posted = Notification.Name("FoundationGapsTests.posted")

    @Test("notifications arrive in a loop in order, also those posted before it began")
    func notifications() async {
        let center = NotificationCenter()
        let (own, other) = (NSObject(), NSObject())
        let sequence = center.notifications(named: Self.posted, object: own)
        for number in 0..<3 {
            center.post(
                name: Self.posted, object: own, userInfo: ["number": number])
            center.post(
                name: Self.posted, object: other, userInfo: ["number": -1])
        }
        var numbers: [Int?] = []
        for await notification in sequence {
            numbers.append(notification.userInfo?["number"] as? Int)
            if numbers.count == 3 { break }
        }
        #expect(numbers == [0, 1, 2])
    }
}
