import HealthEngine
internal import HealthEngine

/// A source of simulated samples. The raw value is the source's index in every batch.
enum Recorder: Int32, CaseIterable, Sendable {
    case watch, phone, healthApp, walkApp, dailyApp, cuff, scale, mealApp
}

extension Simulation {
    /// The sources of every batch, in order of ``Recorder``.
    var sources: [Source] {
        var random = SeededGenerator(seed: person.seed, stream: .devices, day: 0)
        let watch = "com.apple.health.\(Simulation.uuid(&random))"
        let phone = "com.apple.health.\(Simulation.uuid(&random))"
        return Recorder.allCases.map { recorder in
            switch recorder {
            case .watch: Source(name: person.watchName, bundleIdentifier: watch)
            case .phone: Source(name: person.phoneName, bundleIdentifier: phone)
            case .healthApp: Source(name: "Health", bundleIdentifier: "com.apple.Health")
            case .walkApp: Source(name: "Strollr", bundleIdentifier: "com.example.strollr")
            case .dailyApp: Source(name: "DayCounter", bundleIdentifier: "com.example.daycounter")
            case .cuff: Source(name: "Pressly", bundleIdentifier: "com.example.pressly")
            case .scale: Source(name: "Evenscale", bundleIdentifier: "com.example.evenscale")
            case .mealApp: Source(name: "Lunchbox", bundleIdentifier: "com.example.lunchbox")
            }
        }
    }

    /// Returns the source, version, device and unit of a recorder's samples on a day.
    func origin(_ recorder: Recorder, unit: String? = nil, on day: Int) -> Origin {
        let system = SystemVersion(on: calendar.date(day))
        switch recorder {
        case .watch:
            let software = system.watch
            let hardware = isRecent(day) ? "Watch7,3" : "Watch6,2"
            return Origin(
                source: recorder.rawValue, version: software,
                device: Device(
                    name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch",
                    hardwareVersion: hardware, softwareVersion: software), unit: unit)
        case .phone:
            let software = system.phone
            let hardware = isRecent(day) ? "iPhone15,2" : "iPhone13,2"
            return Origin(
                source: recorder.rawValue, version: software,
                device: Device(
                    name: "iPhone", manufacturer: "Apple Inc.", model: "iPhone",
                    hardwareVersion: hardware, softwareVersion: software), unit: unit)
        case .healthApp:
            return Origin(source: recorder.rawValue, version: system.phone, unit: unit)
        case .cuff:
            return Origin(
                source: recorder.rawValue, version: "3.1",
                device: Device(
                    name: "Pressly C2", manufacturer: "Pressly GmbH", model: "C2",
                    hardwareVersion: "2.0", firmwareVersion: "1.0.14",
                    localIdentifier: "PC2-004711"), unit: unit)
        case .scale: return Origin(source: recorder.rawValue, version: "5.0.2", unit: unit)
        case .walkApp: return Origin(source: recorder.rawValue, version: "4.2.1", unit: unit)
        case .dailyApp: return Origin(source: recorder.rawValue, version: "1.9", unit: unit)
        case .mealApp: return Origin(source: recorder.rawValue, version: "24.3.0", unit: unit)
        }
    }

    /// Returns whether a day is in the second half of the data, in which both devices are newer
    /// models; always true if ``SimulatedPerson/years`` is 1.
    private func isRecent(_ day: Int) -> Bool { person.years < 2 || day * 2 >= calendar.count }

    /// Returns a random UUID (version 4) in upper case.
    static func uuid(_ random: inout SeededGenerator) -> String {
        let digits: [Character] = Array("0123456789ABCDEF")
        var (high, low) = (random.next(), random.next())
        high = (high & ~0xF000) | 0x4000
        low = (low & ~(3 << 62)) | (2 << 62)
        var text = ""
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { text += "-" }
            let word = position < 16 ? high : low
            text.append(digits[Int((word >> UInt64((15 - position % 16) * 4)) & 15)])
        }
        return text
    }
}

/// The versions of iOS and watchOS on a day: a new major version each September, and a new minor
/// version every two months.
struct SystemVersion: Sendable {
    let phone: String
    let watch: String

    init(on date: CivilDate) {
        let autumn = date.month >= 9
        let generation = date.year - (autumn ? 2006 : 2007)
        let minor = (autumn ? date.month - 9 : date.month + 3) / 2
        // From September 2025 on, both systems have the same major version: the last two digits of
        // the year after the release, 26 for the release of 2025.
        let unified = generation >= 19
        phone = "\(unified ? generation + 7 : generation).\(minor)"
        watch = "\(unified ? generation + 7 : generation - 7).\(minor)"
    }
}
