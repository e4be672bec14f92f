import Foundation
import HealthDashboard
import HealthEngine
import HealthIntake
import HealthStorage

/// The output of `devices`: the valid devices, what they sent last and what is missing.
struct DeviceList {
    private let devices: [ReceivingDevice]
    /// What is missing, by the device's name.
    private let findings: [String: [DeviceFinding]]
    private let clock: DeviceClock

    /// - Parameters:
    ///   - devices: The devices. Those that were removed are left out.
    ///   - store: The store that they send to; nil if there is none yet.
    ///   - clock: The time zone of times.
    ///   - now: The current time, in reference seconds.
    init(_ devices: [ReceivingDevice], _ store: SampleStore?, clock: DeviceClock, now: Double) {
        self.devices = devices.filter { $0.revokedAt == nil }
        self.clock = clock
        var findings: [String: [DeviceFinding]] = [:]
        for device in self.devices {
            findings[device.name] =
                DeviceFinding.all(device, now: now)
                // A list of devices is no reason to fail.
                + ((try? store.map { try DeviceFinding.completeRuns(of: device, $0) }) ?? [])
        }
        self.findings = findings
    }

    private func sentences(_ device: ReceivingDevice) -> [String] {
        (findings[device.name] ?? []).map(\.sentence)
    }

    var json: JSONText {
        .object([
            "devices": .array(
                devices.map { device in
                    .object([
                        "device": .string(device.name),
                        "created": .string(clock.full(device.createdAt)),
                        "lastContact": .text(device.lastContact.map(clock.full)),
                        "lastSample": .text(device.lastSampleEnd.map(clock.full)),
                        "formats": .array(device.contacts.map(json)),
                        "missing": .array(
                            sentences(device).map { .string($0) }),
                    ])
                })
        ])
    }

    private func json(_ contact: ReceivingDevice.Contact) -> JSONText {
        .object([
            "format": .string(contact.dialect), "requests": .integer(contact.requests),
            "lastContact": .string(clock.full(contact.contactedAt)),
            "lastSample": .text(contact.lastSampleEnd.map(clock.full)),
            "status": .integer(contact.status), "receipt": .text(contact.outcome.receipt),
            "counts": .counts(contact.outcome.counts), "problem": .text(contact.outcome.problem),
        ])
    }

    var text: String {
        guard !devices.isEmpty else {
            return StoreOptions.completed(
                "No devices yet. Add a phone with: openhealth devices add NAME\n")
        }
        var table = Table([
            .text("device"), .text("last contact"), .text("last sample"),
            .text("formats", maximumWidth: 44),
        ])
        for device in devices {
            table.rows.append([
                device.name, device.lastContact.map(clock.minute) ?? "never",
                device.lastSampleEnd.map(clock.minute) ?? "none",
                device.contacts.map(\.dialect).joined(separator: ", "),
            ])
        }
        let lines = devices.flatMap { device in
            sentences(device).map { "\(device.name.printable): \($0)\n" }
        }
        return table.text + (lines.isEmpty ? "" : "\n" + lines.joined())
    }
}

/// Something that a device doesn't send, or sends in another form than expected.
enum DeviceFinding: Hashable {
    case neverContacted
    /// Days since its last contact.
    case silent(days: Int)
    /// The last request in a format was refused.
    case refused(dialect: String, problem: String)
    /// Requests arrive, but the newest sample ended days before the last contact.
    case oldSamples(days: Int)
    /// Records of the last request in a format were invalid or not understood.
    case notStored(dialect: String, rejected: Int, unknown: Int)
    /// Only totals arrive in a format, no samples.
    case onlyTotals(dialect: String)
    /// A format never reports deletions.
    case noDeletions(dialect: String)
    /// A complete run lacks exported samples of a type. They stay, because they are too many.
    case unmatched(type: String, count: Int, exported: Int)
    /// Exported samples that complete runs lack were removed.
    case takenOver(Int)

    /// The days without a contact after which a device counts as silent. Phones send in the
    /// background when the system lets them, at least daily.
    private static let silentDays = 2

    /// Returns the findings of a device, the most important first.
    static func all(_ device: ReceivingDevice, now: Double) -> [DeviceFinding] {
        guard let last = device.lastContact else { return [.neverContacted] }
        var findings: [DeviceFinding] = []
        let silence = days(now - last)
        if silence >= silentDays { findings.append(.silent(days: silence)) }
        if let end = device.lastSampleEnd, days(last - end) >= silentDays {
            findings.append(.oldSamples(days: days(last - end)))
        }
        for contact in device.contacts {
            let counts = contact.outcome.counts
            if let problem = contact.outcome.problem {
                findings.append(.refused(dialect: contact.dialect, problem: problem))
            }
            let (rejected, unknown) = (counts["rejected"] ?? 0, counts["unknown"] ?? 0)
            if rejected + unknown > 0 {
                findings.append(
                    .notStored(dialect: contact.dialect, rejected: rejected, unknown: unknown))
            }
            if (counts["total"] ?? 0) > 0, contact.lastSampleEnd == nil {
                findings.append(.onlyTotals(dialect: contact.dialect))
            }
            if dialectsWithoutDeletions.contains(contact.dialect) {
                findings.append(.noDeletions(dialect: contact.dialect))
            }
        }
        return findings
    }

    /// Returns what complete runs of a device lack of the exports.
    static func completeRuns(
        of device: ReceivingDevice, _ store: SampleStore
    ) throws -> [DeviceFinding] {
        let runs = try store.completeRuns(of: device.name).filter { $0.unmatched > 0 }
        let count = try store.takenOver(from: device.name).reduce(0) { $0 + $1.count }
        return runs.map { run in
            .unmatched(
                type: Catalogue.type(identifier: run.type)?.name ?? run.type,
                count: run.unmatched, exported: run.exported)
        } + (count > 0 ? [.takenOver(count)] : [])
    }

    private static let dialectsWithoutDeletions: Set = [
        IntakeDialect.openWearables.rawValue, IntakeDialect.healthAutoExport.rawValue,
    ]

    private static func days(_ seconds: Double) -> Int {
        Int(clamping: Int64(exactly: max(0, seconds / 86_400).rounded(.down)) ?? 0)
    }

    /// The finding for people, without health values.
    var sentence: String {
        switch self {
        case .neverContacted: "never contacted this server"
        case .silent(let days): "silent for \(days) days"
        case .refused(let dialect, let problem): "last request (\(dialect)) refused: \(problem)"
        case .oldSamples(let days):
            "the newest sample ended \(days) days before the last contact"
        case .notStored(let dialect, let rejected, let unknown):
            "last request (\(dialect)): \(rejected) records invalid, \(unknown) not understood"
        case .onlyTotals(let dialect):
            "\(dialect) sends only totals, so samples, sources and times are missing"
        case .noDeletions(let dialect):
            "\(dialect) reports no deletions, so deleted samples stay in the store"
        case .unmatched(let type, let count, let exported):
            "sent all of \(type), without \(counted(count, "sample", "samples")) of "
                + "\(NumberText.grouped(Double(exported))) in exports, which stay in the store"
        case .takenOver(let count):
            "sent all samples, without \(counted(count, "sample", "samples")) of exports, removed "
                + "here; openhealth devices restore NAME restores them"
        }
    }
}
