import Foundation
import HealthEngine
import HealthSimulator

/// The formats in which a phone's app sends health data.
enum PhoneDialect: String, CaseIterable, Sendable {
    case openWearables6 = "Open Wearables 0.6"
    case openWearables13 = "Open Wearables 0.13"
    case openHealthExporter = "Open Health Exporter"
    case healthAutoExport = "Health Auto Export"
    case healthSave = "HealthSave"

    /// Whether the format can carry deletions.
    var hasDeletions: Bool { self == .openHealthExporter || self == .healthSave }
}

/// A random schedule: a person, the apps on the phone, and the faults between phone and receiver.
///
/// Equal seeds give equal schedules. Only the order in which processes run differs.
struct IntakeSchedule: Sendable {
    let seed: UInt64
    /// The apps that send to the receiver. If one of several can carry deletions, all deletions
    /// have to arrive.
    let dialects: [PhoneDialect]
    let person: SimulatedPerson
    /// The number of times that the person's data change after the first pass of the apps.
    let rounds: Int
    /// The maximum number of records in a request.
    let pageSize: Int
    /// The probability in percent that the first attempt of a request has a fault.
    let faultPercent: Int
    /// The maximum number of kills of the receiver.
    let kills: Int
    /// The maximum number of copies of a replayed request.
    let replays: Int
    /// The maximum number of requests at the same time.
    let width: Int

    private static let combinations: [[PhoneDialect]] = [
        [.openWearables6], [.openHealthExporter], [.openWearables13],
        [.openWearables13, .openHealthExporter], [.healthSave], [.openHealthExporter],
        [.healthAutoExport], [.openWearables6, .openHealthExporter],
        [.healthAutoExport, .openHealthExporter],
    ]

    private static let zones = [
        "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe",
        "America/St_Johns", "Pacific/Auckland",
    ]

    /// The day after the last one with data: an ordinary day, and days after clock changes in
    /// America and in Europe.
    private static let ends = [
        CivilDate(2026, 10, 1), CivilDate(2026, 3, 10), CivilDate(2025, 11, 4),
        CivilDate(2026, 3, 31),
    ]

    init(seed: UInt64) {
        var random = TortureRandom(seed: seed)
        self.seed = seed
        dialects = Self.combinations[Int(seed % UInt64(Self.combinations.count))]
        person = SimulatedPerson(
            seed: seed, days: 2 + random.below(2), records: 500 + random.below(500),
            end: random.pick(Self.ends), homeTimeZone: random.pick(Self.zones),
            phoneName: "Kim’s iPhone", watchName: "Kim’s Apple\u{00A0}Watch")
        rounds = 1 + random.below(2)
        pageSize = random.pick([100, 150, 300, 2000])
        faultPercent = random.pick([10, 30, 60])
        kills = random.below(4)
        replays = random.pick([2, 4, 10])
        width = random.pick([1, 2, 4, 8])
    }

    /// Whether deletions have to arrive.
    var hasDeletions: Bool { dialects.contains { $0.hasDeletions } }
}

/// A fault of one attempt to deliver a request.
enum DeliveryFault: Hashable, Sendable {
    /// The connection closes after a part of the body, in percent.
    case cut(percent: Int)
    /// The connection closes after the whole body and a pause in microseconds. The answer is not
    /// read.
    case lostAnswer(after: UInt32)
    /// SIGKILL ends the receiver before the request, after a part of it, or a pause after it.
    case killBefore, killDuring(percent: Int), killAfter(pause: UInt32)
    /// SIGKILL ends the receiver after the answer.
    case killAfterAnswer

    var isKill: Bool {
        switch self {
        case .cut, .lostAnswer: false
        case .killBefore, .killDuring, .killAfter, .killAfterAnswer: true
        }
    }

    /// Returns a random fault, a kill in one of three cases if kills are left.
    static func random(_ random: inout TortureRandom, killsLeft: Int) -> DeliveryFault {
        if killsLeft > 0, random.below(3) == 0 {
            switch random.below(6) {
            case 0: return .killBefore
            case 1: return .killDuring(percent: random.below(100))
            case 2: return .killAfterAnswer
            default: return .killAfter(pause: pause(&random))
            }
        }
        if random.below(4) == 0 { return .cut(percent: random.below(100)) }
        return .lostAnswer(after: pause(&random))
    }

    /// Returns a pause of up to 20 milliseconds; short ones are more frequent.
    private static func pause(_ random: inout TortureRandom) -> UInt32 {
        UInt32(random.below(1 + random.pick([1, 300, 2000, 20_000])))
    }
}

extension TortureRandom {
    mutating func percent(_ share: Int) -> Bool { below(100) < share }

    /// Returns a random element of an array that is not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for index in elements.indices.dropFirst().reversed() {
            elements.swapAt(index, below(index + 1))
        }
        return elements
    }

    /// Returns a random UUID of version 4.
    mutating func uuid() -> SampleUUID {
        let (high, low) = (word(), word())
        return SampleUUID(high: high & ~0xF000 | 0x4000, low: low & ~(3 << 62) | (2 << 62))
    }

    private mutating func word() -> UInt64 {
        (0..<4).reduce(0) { word, _ in word << 16 | UInt64(below(1 << 16)) }
    }
}
