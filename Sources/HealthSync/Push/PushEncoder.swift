import Foundation
import HealthCalendar

/// Turns batches of changes into the lines of pages.
struct PushEncoder: Sendable {
    let store: HKHealthStore

    /// Lines that must be in one page, such as a correlation with its members.
    struct Group: Sendable {
        /// The identifier of the type for which the group is counted.
        let type: String
        var lines: [Data] = []
        var byteCount: Int { lines.reduce(0) { $0 + $1.count + 1 } }
    }

    /// The lines of a batch, and the numbers of samples by type that are not or not wholly sent.
    struct Encoded: Sendable {
        var groups: [Group] = []
        var incomplete: [String: Int] = [:]
        var unsent: [String: Int] = [:]
    }

    /// Encodes a batch: the added samples in their order, then the deletions.
    ///
    /// - Throws: Errors of HealthKit's queries for details.
    func encode(_ batch: ChangeBatch) async throws -> Encoded {
        var encoded = Encoded()
        let json = Self.lineEncoder()
        for added in batch.added {
            try Task.checkCancellation()
            var group = Group(type: added.sampleType.identifier)
            let parts = try await parts(of: added, batch.origin)
            let routes = parts.filter { $0 is HKWorkoutRoute }.map(\.uuid.uuidString)
            for sample in parts {
                let type = sample.sampleType.identifier
                guard var line = PushSample(sample) else {
                    encoded.unsent[type, default: 0] += 1
                    continue
                }
                let (detail, isComplete) = try await PushDetails(store: store).detail(of: sample)
                line.detail = detail
                if sample is HKWorkout, !routes.isEmpty { line.members = routes }
                if !isComplete { encoded.incomplete[type, default: 0] += 1 }
                group.lines.append(try json.encode(line))
            }
            if !group.lines.isEmpty { encoded.groups.append(group) }
        }
        for deletion in batch.deleted {
            let line = try json.encode(PushDeletion(deletion))
            encoded.groups.append(Group(type: batch.sampleType.identifier, lines: [line]))
        }
        return encoded
    }

    static func lineEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }

    /// Returns the samples to send for a sample: a correlation with its members, a route with its
    /// workout, which has the route as a member, and a changed workout with the routes that an
    /// import has stored inside it. Other samples stand alone.
    private func parts(
        of sample: HKSample, _ origin: ChangeBatch.Origin
    ) async throws -> [HKSample] {
        switch sample {
        case let correlation as HKCorrelation:
            return [correlation]
                + correlation.objects.sorted { $0.uuid.uuidString < $1.uuid.uuidString }
        case let route as HKWorkoutRoute: return try await workouts(with: route) + [route]
        case let workout as HKWorkout where origin == .changes:
            return try await [workout] + importedRoutes(of: workout)
        default: return [sample]
        }
    }
}

extension PushSample {
    /// Creates the line of a sample without its detail; nil if its times or its value can't be
    /// expressed.
    init?(_ sample: HKSample) {
        guard let start = sample.startDate.instantText, let end = sample.endDate.instantText else {
            return nil
        }
        var units = PushUnits()
        let revision = sample.sourceRevision
        self.init(
            uuid: sample.uuid.uuidString, type: sample.sampleType.identifier, start: start,
            end: end, source: PushSource(revision), device: sample.device.map(PushDevice.init),
            metadata: PushMetadataValue.entries(sample.metadata))
        switch sample {
        case let sample as HKQuantitySample:
            guard let (value, unit) = units.number(sample.quantity, of: type), value.isFinite else {
                return nil
            }
            self.value = value
            self.unit = unit
        case let sample as HKCategorySample: value = Double(sample.value)
        case let sample as HKCorrelation:
            members = sample.objects.map(\.uuid.uuidString).sorted()
        default: break
        }
    }
}

extension PushSource {
    init(_ revision: HKSourceRevision) {
        let system = revision.operatingSystemVersion
        let isKnown =
            system.majorVersion > 0 || system.minorVersion > 0 || system.patchVersion > 0
        self.init(
            name: revision.source.name, bundleIdentifier: revision.source.bundleIdentifier,
            version: revision.version, productType: revision.productType,
            operatingSystemVersion: isKnown
                ? "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)" : nil)
    }
}

extension PushDevice {
    init(_ device: HKDevice) {
        self.init(
            name: device.name, manufacturer: device.manufacturer, model: device.model,
            hardwareVersion: device.hardwareVersion, firmwareVersion: device.firmwareVersion,
            softwareVersion: device.softwareVersion, localIdentifier: device.localIdentifier,
            udiDeviceIdentifier: device.udiDeviceIdentifier)
    }
}

extension PushMetadataValue {
    /// Returns metadata as the protocol writes it; nil without any. Values that it can't express
    /// are left out; HealthKit's metadata has none.
    static func entries(_ metadata: [String: Any]?) -> [String: PushMetadataValue]? {
        var entries: [String: PushMetadataValue] = [:]
        var units = PushUnits()
        for (key, value) in metadata ?? [:] {
            switch value {
            case let text as String: entries[key] = .text(text)
            case let date as Date: entries[key] = date.instantText.map { .date($0) }
            case let quantity as HKQuantity:
                guard let (number, unit) = units.number(quantity, of: key), number.isFinite else {
                    continue
                }
                entries[key] = .quantity(number, unit: unit)
            case let number as NSNumber where number.doubleValue.isFinite:
                entries[key] = .number(number.doubleValue)
            default: continue
            }
        }
        return entries.isEmpty ? nil : entries
    }
}

/// The numbers and units of quantities.
struct PushUnits {
    #if os(iOS) || os(watchOS) || os(visionOS)
        private var units = EntryUnits([:])
    #endif

    /// Returns a quantity's number with its unit; nil if no known unit is compatible.
    ///
    /// - Parameter type: The identifier of the quantity's type, or its metadata key.
    mutating func number(_ quantity: HKQuantity, of type: String) -> (Double, String)? {
        #if os(iOS) || os(watchOS) || os(visionOS)
            units.number(quantity, of: type)
        #else
            // OpenHealthKit's quantities have the unit in which they were recorded, so that no
            // conversion changes the number.
            (quantity.value, quantity.unit.unitString)
        #endif
    }
}

extension Date {
    /// The exact text; nil outside the years 1 to 9999.
    var instantText: String? { InstantText.text(timeIntervalSinceReferenceDate) }
}
