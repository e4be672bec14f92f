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
        let low = String(number, radix: 16)
        let uuid =
            "5B0C2D1E-7A61-4F00-8000-" + String(repeating: "0", count: 12 - low.count) + low
        return #"{"id":"\#(uuid)","type":"HKQuantityTypeIdentifier\#(type)","#
            + #""startDate":"\#(time(number * 15))","endDate":"\#(time(number * 15 + 12))","#
            + #""zoneOffset":"+01:00","parentId":null,"metadata":\#(metadata),"#
            + #""value":\#(value),"unit":"\#(unit)","source":\#(sources[number % 3])}"#
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
