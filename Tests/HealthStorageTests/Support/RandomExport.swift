import HealthEngine
import HealthTesting

@testable import HealthStorage

/// A simulated person's records, as contained in a sequence of exports. Between two exports,
/// samples of a few sources are added, removed, changed and renamed.
struct ImportWorld {
    struct Entry {
        var type: SampleType
        var source: Int
        var start: Double
        var length: Double
        var value: Double
        var note: String?
        /// The blood pressure that the record is part of.
        var pressure: Int?
    }

    private(set) var entries: [Entry] = []
    /// The time of each blood pressure, by number.
    private(set) var pressures: [Int: Double] = [:]
    private var names = ["Watch", "Phone", "Scale"]
    private var made = 0

    init(using random: inout SeededRandom) {
        for _ in 0..<30 { add(using: &random) }
    }

    mutating func edit(using random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let index = entries.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<8, using: &random), index) {
            case (0...2, _), (_, nil): add(using: &random)
            case (3, let index?): entries.remove(at: index)
            case (4, let index?): entries[index].value += 1
            case (5, let index?): entries[index].note = "n\(made)"
            case (6, let index?): entries[index].length += 10
            case (_, _?):
                made += 1
                names[Int.random(in: 0..<3, using: &random)] = "Device \(made)"
            }
        }
    }

    private mutating func add(using random: inout SeededRandom) {
        made += 1
        let start = Double(Int.random(in: 0..<40, using: &random) * 50)
        let source = Int.random(in: 0..<3, using: &random)
        let value = Double(Int.random(in: 1...3, using: &random))
        func entry(_ type: SampleType, _ length: Double) -> Entry {
            Entry(type: type, source: source, start: start, length: length, value: value)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2: entries.append(entry(.steps, 60))
        case 3: entries.append(entry(.heartRate, 0))
        case 4: entries.append(entry(.steps, 50_000))
        default:
            pressures[made] = start + Double(made) / 1000
            for type in [SampleType.systolic, .diastolic] {
                var member = entry(type, 0)
                member.start = start + Double(made) / 1000
                member.pressure = made
                entries.append(member)
            }
        }
    }

    /// The records as an import receives them.
    var recording: Recording {
        var recording = Recording()
        var parents: [Int: Int] = [:]
        for entry in entries {
            let device: Recording.Device = [.watch, .phone, .app][entry.source]
            if let number = entry.pressure, parents[number] == nil, let start = pressures[number] {
                parents[number] = recording.add(
                    .pressure, names[entry.source], start, start, .nan, device: device)
            }
            let index = recording.add(
                entry.type, names[entry.source], entry.start, entry.start + entry.length,
                entry.value, device: device, created: entry.start + 99_999)
            if let number = entry.pressure { recording.batch.parents[index] = parents[number] }
            if let note = entry.note {
                recording.batch.samples[index].metadata = Int32(recording.batch.metadata.count)
                recording.batch.metadata.append(["Note": .string(note)])
            }
        }
        return recording
    }
}
