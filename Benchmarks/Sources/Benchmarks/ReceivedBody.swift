import Foundation

/// Bodies as the SDK of Open Wearables sends them.
enum ReceivedBody {
    /// Returns a body with records of four quantity types, 15 seconds from one to the next, of a
    /// watch and a phone.
    ///
    /// - Parameters:
    ///   - first: The number of the first record. It determines times and UUIDs.
    ///   - count: The number of records.
    static func openWearables(from first: Int, _ count: Int) -> [UInt8] {
        let records = (first..<first + count).map(record).joined(separator: ",")
        let text =
            #"{"provider":"apple","sdkVersion":"0.13.0","syncTimestamp":"2026-03-01T08:20:00Z","#
            + #""data":{"workouts":[],"sleep":[],"records":["# + records + "]}}"
        return Array(text.utf8)
    }

    private static func record(_ number: Int) -> String {
        let (type, unit) = types[number % types.count]
        let value = 60 + number % 40
        let metadata =
            number % types.count == 0 ? #"{"HKMetadataKeyHeartRateMotionContext":"1"}"# : "{}"
        return #"{"id":"\#(uuid(number))","type":"HKQuantityTypeIdentifier\#(type)","#
            + #""startDate":"\#(time(number * 15))","endDate":"\#(time(number * 15 + 12))","#
            + #""zoneOffset":"+01:00","parentId":null,"metadata":\#(metadata),"#
            + #""value":\#(value),"unit":"\#(unit)","source":\#(sources[number % 3])}"#
    }

    /// Returns a UUID that compresses as badly as a random one.
    private static func uuid(_ number: Int) -> UUID {
        func mixed(_ value: UInt64) -> UInt64 {
            // The finalizer of SplitMix64.
            var value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
        let seed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let halves = [mixed(seed &+ 1), mixed(seed &+ 2)]
        var bytes = halves.flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
        }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static let types = [
        ("HeartRate", "bpm"), ("StepCount", "count"), ("ActiveEnergyBurned", "kcal"),
        ("DistanceWalkingRunning", "m"),
    ]

    private static let sources = [
        source("com.apple.health.0001", "iPhone", "iPhone15,2"),
        source("com.apple.health.0002", "Watch", "Watch6,2"),
        source("com.apple.health.0002", "Watch", "Watch6,2"),
    ]

    private static func source(_ bundle: String, _ name: String, _ model: String) -> String {
        #"{"appId":"\#(bundle)","name":"\#(name)","deviceId":null,"deviceName":"\#(name)","#
            + #""deviceManufacturer":"Apple Inc.","deviceModel":"\#(model)","#
            + #""deviceType":"watch","recordingMethod":null,"#
            + #""deviceHardwareVersion":"\#(model)","deviceSoftwareVersion":"10.3","#
            + #""operatingSystemVersion":{"majorVersion":10,"minorVersion":3,"patchVersion":0}}"#
    }

    /// Returns a time in seconds after the start of 2022, as the SDK writes it.
    private static func time(_ seconds: Int) -> String {
        let start = 1_640_995_200
        return Date(timeIntervalSince1970: Double(start + seconds)).formatted(.iso8601)
    }
}
