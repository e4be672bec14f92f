import HealthEngine
import HealthTesting

@testable import HealthStorage

/// A simulated person's records, as contained in a sequence of exports. Between two exports,
/// samples of a few sources are added, removed, changed and renamed.
struct RandomExport {
    struct Record {
        var type: SampleType
        var source: Int
        var start: Double
        var length: Double
        var value: Double
        var note: String?
        /// The blood pressure that the record is part of.
        var pressure: Int?
    }

    private(set) var records: [Record] = []
    /// The time of each blood pressure, by number.
    private(set) var pressures: [Int: Double] = [:]
    private var names = ["Watch", "Phone", "Scale"]
    private var editCount = 0

    init(using random: inout SeededRandom) {
        for _ in 0..<30 { add(using: &random) }
    }

    mutating func edit(using random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let index = records.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<8, using: &random), index) {
            case (0...2, _), (_, nil): add(using: &random)
            case (3, let index?): records.remove(at: index)
            case (4, let index?): records[index].value += 1
            case (5, let index?): records[index].note = "n\(editCount)"
            case (6, let index?): records[index].length += 10
            case (_, _?):
                editCount += 1
                names[Int.random(in: 0..<3, using: &random)] = "Device \(editCount)"
            }
        }
    }

    private mutating func add(using random: inout SeededRandom) {
        editCount += 1
        let start = Double(Int.random(in: 0..<40, using: &random) * 50)
        let source = Int.random(in: 0..<3, using: &random)
        let value = Double(Int.random(in: 1...3, using: &random))
        func record(_ type: SampleType, _ length: Double) -> Record {
            Record(type: type, source: source, start: start, length: length, value: value)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2: records.append(record(.steps, 60))
        case 3: records.append(record(.heartRate, 0))
        case 4: records.append(record(.steps, 50_000))
        default:
            pressures[editCount] = start + Double(editCount) / 1000
            for type in [SampleType.systolic, .diastolic] {
                var member = record(type, 0)
                member.start = start + Double(editCount) / 1000
                member.pressure = editCount
                records.append(member)
            }
        }
    }

    /// The records as an import receives them.
    var recording: Recording {
        var recording = Recording()
        var parents: [Int: Int] = [:]
        for record in records {
            let device: Recording.Device = [.watch, .phone, .app][record.source]
            if let number = record.pressure, parents[number] == nil, let start = pressures[number] {
                parents[number] = recording.add(
                    .pressure, names[record.source], start, start, .nan, device: device)
            }
            let index = recording.add(
                record.type, names[record.source], record.start, record.start + record.length,
                record.value, device: device, created: record.start + 99_999)
            if let number = record.pressure { recording.batch.parents[index] = parents[number] }
            if let note = record.note {
                recording.batch.samples[index].metadata = Int32(recording.batch.metadata.count)
                recording.batch.metadata.append(["Note": .string(note)])
            }
        }
        return recording
    }
}
