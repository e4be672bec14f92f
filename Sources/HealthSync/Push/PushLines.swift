import Foundation
import HealthCalendar

// The lines of a page, as Documentation/Protocol.md describes them. Properties without a value are
// left out. Times are texts that keep every bit of the number.

/// The first line of a page.
struct PushHeader: Encodable {
    let kind = "page"
    let version = 1
    let stream: String
    let from: String?
    let to: String
    let complete: String?
    /// The identifier of the person's time zone; nil if it isn't known.
    let timeZone: String?

    private enum Key: String, CodingKey {
        case kind, version, stream, from, to, complete, timeZone
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(version, forKey: .version)
        try fields.encode(stream, forKey: .stream)
        // Null is written, because a missing position could be a mistake.
        try fields.encode(from, forKey: .from)
        try fields.encode(to, forKey: .to)
        try fields.encodeIfPresent(complete, forKey: .complete)
        try fields.encodeIfPresent(timeZone, forKey: .timeZone)
    }
}

/// A sample.
struct PushSample: Encodable {
    let kind = "sample"
    let uuid: String
    let type: String
    let start: String
    let end: String
    var value: Double?
    var unit: String?
    let source: PushSource
    let device: PushDevice?
    let metadata: [String: PushMetadataValue]?
    var members: [String]?
    var detail: PushDetail?
}

/// The deletion of a sample.
struct PushDeletion: Encodable {
    let kind = "deletion"
    let uuid: String
    /// "withdrawn" if the sample can come back; nil for HealthKit's deletions.
    let reason: String?

    init(_ deletion: HKDeletedObject) {
        uuid = deletion.uuid.uuidString
        #if os(iOS) || os(watchOS) || os(visionOS)
            reason = nil
        #else
            // A store also loses samples to imports, their undo and complete runs.
            reason = deletion.isWithdrawn ? "withdrawn" : nil
        #endif
    }
}

/// The app or device that saved a sample.
struct PushSource: Encodable {
    let name: String
    let bundleIdentifier: String
    let version: String?
    let productType: String?
    let operatingSystemVersion: String?
}

/// The device that measured a sample.
struct PushDevice: Encodable {
    let name: String?
    let manufacturer: String?
    let model: String?
    let hardwareVersion: String?
    let firmwareVersion: String?
    let softwareVersion: String?
    let localIdentifier: String?
    let udiDeviceIdentifier: String?
}

/// A value of metadata: text, a number, `{"date":…}` or `{"value":…,"unit":…}`.
enum PushMetadataValue: Encodable {
    case text(String)
    case number(Double)
    case date(String)
    case quantity(Double, unit: String)

    private enum Key: String, CodingKey { case date, value, unit }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text):
            var single = encoder.singleValueContainer()
            try single.encode(text)
        case .number(let number):
            var single = encoder.singleValueContainer()
            try single.encode(number)
        case .date(let text):
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(text, forKey: .date)
        case .quantity(let value, let unit):
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode(value, forKey: .value)
            try fields.encode(unit, forKey: .unit)
        }
    }
}

/// What a sample has besides its value. One property has a value.
struct PushDetail: Encodable {
    var workout: PushWorkout?
    var series: [PushQuantity]?
    var route: [PushPoint]?
    var heartbeats: [PushHeartbeat]?
    var numbers: [String: [Double]]?
    var clinicalRecord: PushClinicalRecord?
    var document: PushDocument?
    var audiogram: PushAudiogram?
    var visionPrescription: PushVisionPrescription?
}

struct PushQuantity: Encodable {
    let start: String
    let end: String
    let value: Double
}

struct PushPoint: Encodable {
    let time: String
    let latitude: Double
    let longitude: Double
    let altitude: Double
    let horizontalAccuracy: Double
    let verticalAccuracy: Double
    let course: Double
    let speed: Double
    let courseAccuracy: Double?
    let speedAccuracy: Double?
}

struct PushHeartbeat: Encodable {
    /// Seconds from the start of the series.
    let offset: Double
    /// Whether beats may be missing before this one.
    let gap: Bool
}

struct PushWorkout: Encodable {
    let activityType: UInt
    let activity: String?
    let duration: Double
    let events: [PushEvent]
    let activities: [PushActivity]
    let statistics: [PushStatistics]
}

struct PushEvent: Encodable {
    let type: Int
    let start: String
    let duration: Double
    let metadata: [String: PushMetadataValue]?
}

struct PushActivity: Encodable {
    let uuid: String
    let activityType: UInt
    let locationType: Int
    let swimmingLocationType: Int
    let lapLength: Double?
    let lapLengthUnit: String?
    let start: String
    let end: String?
    let duration: Double
    let events: [PushEvent]
    let statistics: [PushStatistics]
    let metadata: [String: PushMetadataValue]?
}

struct PushStatistics: Encodable {
    let type: String
    let unit: String
    let start: String
    let end: String
    let sum: Double?
    let average: Double?
    let minimum: Double?
    let maximum: Double?
    let mostRecent: Double?
    let mostRecentStart: String?
    let mostRecentEnd: String?
    let duration: Double?
}
